"""The motion library: hand-keyed actions, a file per family."""

from __future__ import annotations

from ..motion import Motion
from . import combat, everyday, locomotion, reaction, traversal, unarmed, weapons

ACTIONS: dict[str, Motion] = {
    motion.name: motion
    for family in (everyday, locomotion, traversal, combat, weapons, unarmed, reaction)
    for motion in family.MOTIONS
}
"""Every action by name, in the order the page offers them."""
