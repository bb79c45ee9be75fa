"""Play a character: keys in, frames out, one at a time."""
