"""The proof at the end of training: the same action with the look off and on, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from pipelines.adapter import Adapter
from pipelines.backend import Backend, TrainingSample
from pipelines.cancel import CancelToken
from pipelines.clip import Clip
from pipelines.request import GenerateRequest

from .measures import distance, motion_energy, palette_distance, psnr
from .preview import draw, valid_frames

NO_EFFECT = 0.1
"""Distance, of 255, below which nobody sees that the look is on (field report 12)."""
STATIC = 0.5
"""Share of the motion energy that must stay once the look is on (field report 13)."""
CLIPS = 2
"""So many animated samples are drawn again for the likeness in dB."""


@dataclass(frozen=True)
class Proof:
    """What the look does to one guided action, same seed."""

    action: str
    distance: float
    """Mean absolute difference between off and on inside the silhouette, 0..255."""
    palette_off: float
    """Distance of the drawn colours from the art's, OKLab, 0 is none and 0.02 is just visible."""
    palette_on: float
    motion_off: float
    """Mean absolute change from frame to frame inside the silhouette, 0..255."""
    motion_on: float
    keys_matched: float
    """Share of the saved weights that load back as they were, 0..1."""
    psnr_off: float | None = None
    """Likeness to the animated samples in dB with the look off, more is closer; None when there are none."""
    psnr_on: float | None = None
    held_out: bool = False
    """True: the animated samples of the likeness were kept out of training."""
    seconds: float = 0.0
    """Wall time of the whole training in this session."""

    def warnings(self) -> list[str]:
        """What the artist must know: nothing here stops the look from being used."""
        found = []
        if self.keys_matched < 1:
            share = f"{100 * self.keys_matched:.0f} %"
            found.append(f"Only {share} of the look's weights load back; train again, and report this if it stays.")
        if self.distance <= NO_EFFECT:
            found.append(
                f"No effect: with the look on, {self.action} differs by {self.distance:.2f} of 255. "
                "Train for more steps or with a higher learning rate."
            )
        if self.motion_off > 0 and self.motion_on < STATIC * self.motion_off:
            share = f"{100 * self.motion_on / self.motion_off:.0f} %"
            found.append(
                f"Static: with the look on, {self.action} keeps only {share} of its motion. "
                "Add animated samples, raise the prior share or lower the learning rate."
            )
        return found

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, numbers to six digits."""
        return {key: float(f"{v:.6g}") if isinstance(v, float) else v for key, v in asdict(self).items()}


def prove(
    request: GenerateRequest,
    backend: Backend,
    adapter: Adapter,
    clips: Sequence[TrainingSample],
    cancel: CancelToken,
    *,
    keys_matched: float = 1.0,
    held_out: bool = False,
) -> tuple[Proof, Clip, Clip]:
    """Draws off and on and measures; the proof, the clip without and the clip with the look."""
    off, on = (draw(request, backend, look, cancel) for look in (None, adapter))
    shown = [clip for clip in clips if clip.track is not None or not backend.spec.pose][:CLIPS]
    likeness = [
        [_likeness(clip, request, backend, look, cancel) for clip in shown] if shown else None
        for look in (None, adapter)
    ]
    psnr_off, psnr_on = (None if values is None else float(np.mean(values)) for values in likeness)
    proof = Proof(
        action=request.action,
        distance=distance(off.frames, on.frames),
        palette_off=palette_distance(request.figure.art, off.frames),
        palette_on=palette_distance(request.figure.art, on.frames),
        motion_off=motion_energy(off.frames),
        motion_on=motion_energy(on.frames),
        keys_matched=keys_matched,
        psnr_off=psnr_off,
        psnr_on=psnr_on,
        held_out=held_out and psnr_on is not None,
    )
    return proof, off, on


def _likeness(
    clip: TrainingSample, request: GenerateRequest, backend: Backend, look: Adapter | None, cancel: CancelToken
) -> float:
    """PSNR of the sample's own motion drawn again: its first frames, as many as the preview has."""
    spec = backend.spec
    frames = valid_frames(min(request.frames, len(clip.frames)), spec)
    if frames > len(clip.frames):
        frames = len(clip.frames)
    track = clip.track
    if track is not None:
        track = replace(track, joints=track.joints[:frames], confidence=track.confidence[:frames])
    again = replace(
        request,
        action=clip.action,
        frames=frames,
        size=clip.frames.shape[1],
        pose=track if spec.pose else None,
        loop=False,
    )
    return psnr(draw(again, backend, look, cancel).frames, clip.frames[:frames])
