"""The backends by name. Factories are dotted paths, so that looking at the list loads no model."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import cast

from .backend import Backend, Spec
from .errors import RequestError


@dataclass(frozen=True)
class Row:
    """One backend: what it can do, and where its factory `(device: str) -> Backend` lives."""

    spec: Spec
    factory: str


EMBEDDED = Spec(
    name="embedded",
    title="Sprightly embedded",
    sizes=(64, 128, 256, 512),
    memory_gb=0.8,
    train_memory_gb=1.5,
    note="Ships with the app, runs on any computer: the drawing itself moves, a small network heals what was hidden.",
)

SPECS: dict[str, Row] = {row.spec.name: row for row in (Row(EMBEDDED, "pipelines.embedded.backend:EmbeddedBackend"),)}
"""A new backend is one file and one row here."""


def spec(name: str) -> Spec:
    """The backend's capabilities. Raises `RequestError` for a name that is not in the list."""
    if name not in SPECS:
        raise RequestError(f"There is no model called {name!r}; choose one of {', '.join(SPECS)}.")
    return SPECS[name].spec


def create(name: str, device: str = "cpu") -> Backend:
    """Loads the backend onto a device ("cpu", "cuda:1", "mps"). Raises `MissingWeightsError` or `RequestError`."""
    spec(name)
    module, attribute = SPECS[name].factory.split(":")
    return cast(Backend, getattr(importlib.import_module(module), attribute)(device=device))
