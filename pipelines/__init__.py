"""Models that draw: value types, the backend contract, and one file per model family."""
