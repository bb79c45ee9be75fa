"""The distilled model as a frame source: one small network step a frame, 128 pixels, on a CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..adapter import Adapter
from ..errors import MissingWeightsError
from ..figure import Figure
from ..pose.retarget import rest_track
from ..rig import Puppet, draw
from .history import History
from .source import Drawn, FrameSource, Moment

WEIGHTS = Path(__file__).parent / "weights"


def installed() -> bool:
    """Whether the student's weights are there. Cheap: loads nothing."""
    return (WEIGHTS / "config.json").is_file()


def open_student(
    figure: Figure, puppet: Puppet, size: int, adapter: Adapter | None = None, seed: int = 0
) -> FrameSource:
    """The student for one character, cells of `size` pixels.

    The student draws no noise, so every `seed` plays alike. A look (`adapter`) reaches it by features: what the look
    is about, the character's own colours and shapes, is in the art and in the rig's frame, which the student reads
    with every frame; the low-rank weights belong to the teacher's layers and have no counterpart here.
    """
    return StudentSource(figure, puppet, size)


class StudentSource:
    """Draws the rig's frame and lets the student mend it where the rig is unsure."""

    def __init__(self, figure: Figure, puppet: Puppet, size: int, weights: Path = WEIGHTS) -> None:
        """Loads the network; `MissingWeightsError` where it is not there."""
        import torch

        from ..embedded.conditions import joint_array, premultiplied
        from .student_net import SIZE, StudentNet

        if not (weights / "config.json").is_file():
            raise MissingWeightsError(
                f"The student's weights are missing from {weights}. They ship with Sprightly: fetch the repository "
                "again, or train them with `python -m lora_trainer.distill`. The puppet can be played without them."
            )
        self.figure, self.puppet, self.size, self.pixels = figure, puppet, size, SIZE
        self.net = StudentNet.from_pretrained(weights, torch_dtype=torch.float32).eval()
        self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        rest = rest_track(figure, puppet.placement)
        art = premultiplied(draw(puppet, rest, SIZE).frames)
        with torch.inference_mode():
            self.look = self.net.look(art, torch.from_numpy(joint_array(rest)))

    def frame(self, moment: Moment, history: History) -> Drawn:
        """See `FrameSource.frame`."""
        import torch

        from ..embedded.conditions import joint_array, premultiplied
        from ..embedded.detail import apply, as_pixel_art

        large = draw(self.puppet, moment.pose, self.size)
        small = large if self.size == self.pixels else draw(self.puppet, moment.pose, self.pixels)

        def read(query: torch.Tensor) -> torch.Tensor:
            return torch.from_numpy(history.read(query[0].numpy()))[None]

        with torch.inference_mode():
            rig = premultiplied(small.frames).contiguous(memory_format=torch.channels_last)
            sure = torch.from_numpy(small.confidence)[:, None].float() / 255
            fine, _, hidden = self.net.see(
                self.look,
                rig,
                sure,
                torch.from_numpy(joint_array(moment.pose)),
                torch.tensor([moment.phase], dtype=torch.float32),
                torch.from_numpy(np.asarray(moment.control, np.float32))[None],
                read,
            )
            frames = apply(self.net.finish(fine, rig, sure), small.frames, large.frames, large.confidence)
        if self.figure.pixel_art:
            keep = large.confidence > 127
            frames = np.where(keep[..., None], large.frames, as_pixel_art(frames, self.figure))
        return Drawn(frames[0], hidden[0].numpy())
