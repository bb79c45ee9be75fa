"""The studio: library, jobs, sprites and the page around the models."""
