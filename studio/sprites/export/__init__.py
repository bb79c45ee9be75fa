"""One file per target; `EXPORTERS` in `registry.py` is the table of them."""
