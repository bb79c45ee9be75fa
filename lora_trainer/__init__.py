"""Per-character LoRA training, the data engine, and the recipe of the shipped weights."""
