"""The page: draws and wires, and calls `studio.flow` for everything else. Alone with `app.py` it knows gradio."""
