"""An order as the request that a backend understands: which motion, how many frames, which pose in each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipelines.adapter import Adapter
from pipelines.errors import RequestError
from pipelines.figure import Figure
from pipelines.pose.skeleton import Facing, PoseTrack
from pipelines.request import GenerateRequest

from ..character_art import cut, detector
from ..library import Character
from ..studio import Desk
from .orders import ActionOrder

TEXT_ONLY = (8, 12.0)
"""Frames and frame rate of an action that the motion library does not know."""


MOST_FRAMES = 240
"""What a request takes; see `GenerateRequest`."""


def request_for(
    desk: Desk, who: Character, figure: Figure, order: ActionOrder, look: Adapter | None
) -> GenerateRequest:
    """Raises `RequestError` for an unknown action, `PictureError` or `NoFigureError` for a file without a figure."""
    from pipelines.pose.motion import ACTIONS

    motion = ACTIONS.get(order.action)
    frames = order.frames or (motion.frames if motion else TEXT_ONLY[0])
    fps = order.fps or (motion.fps if motion else TEXT_ONLY[1])
    pose: PoseTrack | None = None
    if order.guidance == "library":
        from pipelines.pose.retarget import fit

        if motion is None:
            raise RequestError(f"There is no motion called {order.action!r}; choose one of {', '.join(ACTIONS)}.")
        pose = fit(motion, figure, who.placement, frames, fps, energy=order.energy, strength=order.strength)
    elif order.guidance == "file":
        pose = follow(desk, who, figure, order, motion.loop if motion else False)
        frames, fps = len(pose), pose.fps
    return GenerateRequest(
        figure=figure,
        action=order.action,
        facing=figure.facing,
        frames=frames,
        fps=fps,
        loop=motion.loop if motion else False,
        size=who.cell,
        pose=pose,
        prompt=who.about,
        steps=order.steps,
        seed=order.seed,
        adapter=look,
        adapter_scale=order.look,
    )


def follow(desk: Desk, who: Character, figure: Figure, order: ActionOrder, loop: bool) -> PoseTrack:
    """The uploaded motion on this figure's bones: a BVH recording, or whoever moves in an animation."""
    from pipelines.pose.bvh import is_bvh

    file = desk.library.kept(who.id, order.file or "")
    return (act_recording if is_bvh(file) else follow_pictures)(desk, who, figure, order, loop)


def act_recording(desk: Desk, who: Character, figure: Figure, order: ActionOrder, loop: bool) -> PoseTrack:
    """A BVH recording acted as the library's motions are. Raises `MotionFileError`."""
    from pipelines.pose.bvh import read_bvh
    from pipelines.pose.recording import recorded
    from pipelines.pose.retarget import fit

    motion = replace(recorded(read_bvh(desk.library.kept(who.id, order.file or ""))), loop=loop)
    frames = order.frames or max(1, round(motion.seconds * (order.fps or TEXT_ONLY[1])))
    fps = order.fps or float(np.clip(round(frames / motion.seconds, 3), 1, 60))
    if frames > MOST_FRAMES:
        raise RequestError(
            f"The recording lasts {motion.seconds:.0f} s, at {fps:g} frames a second {frames} frames; {MOST_FRAMES} "
            "are the most. Set fewer frames, fewer frames a second, or cut the recording."
        )
    return fit(motion, figure, who.placement, frames, fps, strength=order.strength)


def follow_pictures(desk: Desk, who: Character, figure: Figure, order: ActionOrder, loop: bool) -> PoseTrack:
    """The motion of whoever moves in the pictures, on this figure's bones, at the order's frame rate."""
    from lora_trainer.samples import resample
    from pipelines.pose.retarget import fit_track, rest_track

    from ..intake import read_frames

    seen = read_frames(desk.library.kept(who.id, order.file or ""))
    length = sum(seen.durations_ms) / 1000
    fps = order.fps or float(np.clip(round(len(seen.frames) / length, 3), 1, 24))
    if order.frames:
        fps = order.frames / length
    chosen = resample(seen.durations_ms, fps)
    joints, facing = _read(desk, order, seen.frames)
    joints = joints[chosen]
    places = np.zeros_like(joints)
    places[..., :2] = joints[..., :2] / max(seen.frames.shape[1:3])
    track = PoseTrack(places, joints[..., 2], fps, loop)
    if {facing, figure.facing} == {"left", "right"}:
        track = track.mirrored()
    acted = fit_track(track, figure, who.placement)
    rest = rest_track(figure, who.placement, len(acted))
    return replace(acted, joints=rest.joints + np.float32(order.strength) * (acted.joints - rest.joints))


def _read(desk: Desk, order: ActionOrder, frames: np.ndarray) -> tuple[np.ndarray, Facing]:
    """Joints (T, 21, 3) in pixels of uint8 frames (T, H, W, 4), and which way the figure faces."""
    if order.reader != "own":
        from pipelines.pose.photographs import PeopleDetector

        return PeopleDetector.load(order.reader).track(frames)
    figures = np.stack([cut(frame).art for frame in frames])
    with detector(desk) as found:
        first = int(np.argmax(figures[..., 3].any(axis=(1, 2))))
        return found.track(figures), found.detect(figures[first]).facing
