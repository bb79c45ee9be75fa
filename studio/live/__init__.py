"""Live play: who may play, who waits, and the socket that carries keys in and frames out."""
