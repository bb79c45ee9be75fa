"""The model that ships in the repo: a rig that draws, a network that finishes."""
