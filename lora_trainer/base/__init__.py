"""How the shipped weights were trained, and the benchmark that judges them."""
