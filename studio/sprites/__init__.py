"""Frames to sheet: pure functions on straight-alpha ``uint8 (T, H, W, 4)``; imports nothing else of ours."""
