"""What travels over the socket: a JSON head of known length, then one picture."""

from __future__ import annotations

import json
import struct
from typing import Any

import cv2
import numpy as np

from pipelines.interactive.actions import Action
from pipelines.interactive.session import Shown

LONGEST = 2048
"""Bytes of the longest message that a page sends."""


def picture(frame: np.ndarray) -> bytes:
    """uint8 (S, S, 4) as PNG: lossless, fastest to make and a tenth of the raw size (measured in docs/live.md)."""
    return cv2.imencode(".png", cv2.cvtColor(frame, cv2.COLOR_RGBA2BGRA), [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()


def packed(head: dict[str, Any], body: bytes = b"") -> bytes:
    """uint16 length of the head (little-endian), the head as JSON, the picture."""
    text = json.dumps(head, separators=(",", ":")).encode()
    return struct.pack("<H", len(text)) + text + body


def unpacked(message: bytes) -> tuple[dict[str, Any], bytes]:
    """Inverse of `packed`."""
    (length,) = struct.unpack_from("<H", message)
    return json.loads(message[2 : 2 + length]), message[2 + length :]


def head(shown: Shown, metres: float) -> dict[str, Any]:
    """What the page draws and tells with a frame; lengths in cells."""
    return {
        "t": "frame",
        "x": round(shown.body.x / metres, 4),
        "y": round(shown.body.y / metres, 4),
        "camera": [round(value / metres, 4) for value in shown.camera],
        "state": shown.act.state,
        "side": shown.body.side,
        "speed": round(abs(shown.body.vx), 2),
        "drift": [round(shown.drift.palette, 3), round(shown.drift.alpha, 3)],
        "anchored": shown.anchored,
        "weights": [round(float(weight), 3) for weight in shown.weights],
        "remembered": shown.remembered,
        "tick": shown.tick,
    }


def asked(text: str | bytes) -> dict[str, Any] | None:
    """A page's message, or None for what no page of ours sends: too long, not JSON, not an object."""
    if len(text) > LONGEST:
        return None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def action(message: dict[str, Any]) -> Action:
    """Keys and mouse of an input message; whatever is out of range counts as not pressed."""

    def whole(name: str, low: int, high: int) -> int:
        value = message.get(name, 0)
        return value if type(value) is int and low <= value <= high else 0

    return Action(whole("keys", 0, 255), whole("yaw", -36000, 36000), whole("pitch", -36000, 36000))
