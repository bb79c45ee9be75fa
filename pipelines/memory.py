"""Loaded models, shared by lease: the least recently used idle one goes when room is needed."""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from typing import Generic, TypeVar

Model = TypeVar("Model")


@dataclass
class _Slot(Generic[Model]):
    model: Model
    cost_gb: float
    leases: int = 0


class ModelCache(Generic[Model]):
    """Keeps models loaded up to a budget. One on lease is never dropped; one that two callers use is loaded once."""

    def __init__(self, budget_gb: float) -> None:
        self.budget_gb = budget_gb
        self._slots: OrderedDict[str, _Slot[Model]] = OrderedDict()
        self._lock = RLock()

    @contextmanager
    def lease(self, key: str, cost_gb: float, load: Callable[[], Model]) -> Iterator[Model]:
        """The model under `key`, loaded if need be, held until the block ends."""
        with self._lock:
            if key not in self._slots:
                self._make_room(cost_gb)
                self._slots[key] = _Slot(load(), cost_gb)
            slot = self._slots[key]
            self._slots.move_to_end(key)
            slot.leases += 1
        try:
            yield slot.model
        finally:
            with self._lock:
                slot.leases -= 1

    def loaded(self) -> tuple[str, ...]:
        """Keys of the loaded models, least recently used first."""
        with self._lock:
            return tuple(self._slots)

    def _make_room(self, cost_gb: float) -> None:
        used = sum(slot.cost_gb for slot in self._slots.values())
        for key in [key for key, slot in self._slots.items() if slot.leases == 0]:
            if used + cost_gb <= self.budget_gb:
                return
            used -= self._slots.pop(key).cost_gb
            gc.collect()
