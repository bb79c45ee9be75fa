# Each command does all of its own set-up: a virtual environment in .venv, made again when the requirements change.
PYTHON ?= python3
RUN := .venv/bin/python
READY := .venv/.ready

.PHONY: studio demo test check bench

studio: $(READY)
	$(RUN) app.py

demo: $(READY)
	$(RUN) examples/demo.py --out outputs/demo

test: check
	$(RUN) -m pytest

check: $(READY)
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy
	.venv/bin/lint-imports

bench: $(READY)
	$(RUN) -m benchmarks

$(READY): requirements.txt requirements-dev.txt constraints.txt
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Sprightly needs Python 3.11 or newer; run make PYTHON=/path/to/python3.11')"
	$(PYTHON) -m venv .venv
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet -r requirements.txt -r requirements-dev.txt -c constraints.txt
	$(RUN) -c "from pathlib import Path; Path('$(READY)').touch()"
