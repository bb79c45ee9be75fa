"""A doll made ready to play, once for all tests."""

from __future__ import annotations

import pytest

from pipelines.interactive.session import Cast, cast
from tests.pipelines.rig.conftest import doll


@pytest.fixture(scope="session")
def ready() -> Cast:
    return cast(doll(), None, 48)
