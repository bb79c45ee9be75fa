"""Leases of what a worker draws with."""

from __future__ import annotations

from contextlib import AbstractContextManager

from pipelines import registry
from pipelines.backend import Backend

from ..settings import pick_device
from ..studio import Desk, Studio


def backend(desk: Desk | Studio, name: str) -> AbstractContextManager[Backend]:
    """The backend, loaded onto the first device and kept while there is room."""
    device = pick_device(desk.settings.devices[0])
    cost = registry.spec(name).memory_gb
    return desk.models.lease(f"{name}@{device}", cost, lambda: registry.create(name, device))
