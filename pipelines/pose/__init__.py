"""Skeletons, motions and where joints come from."""
