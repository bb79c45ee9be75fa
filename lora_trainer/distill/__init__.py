"""How the student of live play learns from the embedded model."""
