"""The product in one file: every arrow from concept art to engine files, as the page, the CLI and the tests call it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.adapter import Adapter
from pipelines.errors import RequestError
from pipelines.figure import Figure
from pipelines.pose.skeleton import FACINGS, Facing

from .character_art import cut_again, detect, draw_from
from .jobs import Job, JobEvent
from .library import Character, ClipRecord, Sample
from .library import clips as clip_files
from .library import samples as sample_files
from .library.character import tidy_name
from .library.disk import checked, new_id
from .library.joints import placed, to_names
from .studio import Desk
from .tasks.orders import ActionOrder, ExportOptions

if TYPE_CHECKING:
    from lora_trainer.config import TrainConfig

# concept art -> Character


def new_character(desk: Desk, picture: Path, name: str = "", method: str = "auto") -> Character:
    """Picture -> cut-out -> joints -> placement, stored; `note` tells the artist what to look at."""
    drawn = draw_from(desk, picture, method)
    title = tidy_name(name or picture.stem)
    character = Character(id=new_id(), name=title, backend=desk.settings.backend, **drawn.fields())
    return desk.library.create(character, drawn.art, picture)


def recut(
    desk: Desk, character_id: str, method: str, key_colour: tuple[int, int, int] | None = None, strokes: Any = None
) -> Character:
    """Cuts the original out again, by another method, key colour or strokes; joints stay where they are."""
    size = desk.library.character(character_id).size
    cutout = cut_again(desk.library.original(character_id), size, method, key_colour, strokes)
    return desk.library.change(
        character_id, lambda now: replace(now, method=cutout.method, note=cutout.note), cutout.art
    )


def redetect(desk: Desk, character_id: str) -> Character:
    """Finds the joints afresh; can be undone. Raises `NoFigureError` and keeps the old ones when there are none."""
    found = detect(desk, desk.library.art(character_id))
    return desk.library.set_joints(character_id, to_names(found.joints), found.facing)


def set_joints(
    desk: Desk, character_id: str, joints: Mapping[str, Sequence[float] | None], facing: Facing | None = None
) -> Character:
    """Moves the named joints to (x, y) in art pixels, or takes them away with None; can be undone."""
    if facing is not None and facing not in FACINGS:
        raise RequestError(f"A character faces {', '.join(FACINGS)}; not {facing!r}.")
    before = desk.library.character(character_id).joints
    return desk.library.set_joints(character_id, {**before, **placed(joints, before)}, facing)


def undo_joints(desk: Desk, character_id: str) -> Character:
    """Goes back before the last change of joints or facing; nothing happens when there is none."""
    return desk.library.step_joints(character_id, back=True)


def redo_joints(desk: Desk, character_id: str) -> Character:
    """Takes the last undo back."""
    return desk.library.step_joints(character_id, back=False)


def set_character(
    desk: Desk,
    character_id: str,
    *,
    name: str | None = None,
    about: str | None = None,
    cell: int | None = None,
    pixel_art: bool | None = None,
    weapon: str | None = None,
    backend: str | None = None,
) -> Character:
    """Changes what is given and leaves the rest; an empty `weapon` takes it out of the hand."""
    if cell is not None and not 16 <= cell <= 2048:
        raise RequestError(f"A cell is 16 to 2048 pixels wide; got {cell}.")
    given: dict[str, Any] = {"cell": cell, "pixel_art": pixel_art, "backend": backend}
    given["name"] = tidy_name(name) if name is not None else None
    given["about"] = about.strip()[:500] if about is not None else None
    changes = {field: value for field, value in given.items() if value is not None}
    if weapon is not None:
        changes["weapon"] = weapon.strip()[:40] or None
    return desk.library.change(character_id, lambda now: replace(now, **changes))


def characters(desk: Desk) -> list[Character]:
    """The owner's characters, newest first."""
    return desk.library.characters()


def character(desk: Desk, character_id: str) -> Character:
    """One character. Raises `LibraryError` when it is not in this owner's library."""
    return desk.library.character(character_id)


def figure(desk: Desk, character_id: str) -> Figure:
    """Art and joints as every model takes them."""
    return desk.library.figure(character_id)


def art_path(desk: Desk, character_id: str) -> Path:
    """The cut-out art as a PNG file."""
    return desk.library.folder(character_id) / "art.png"


def delete(desk: Desk, character_id: str, kind: str = "", item_id: str = "") -> str:
    """Moves a character, or one of its `samples`, `clips`, `adapters`, `exports`, to the trash; returns a ticket.

    A character's waiting and running jobs are cancelled first: they would find nothing to work on.
    """
    for going in desk.jobs.listed() if not kind else ():
        if going.character == character_id and not going.over:
            desk.jobs.cancel(going.id)
    return desk.library.discard(character_id, kind, item_id)


def restore(desk: Desk, ticket: str) -> Path:
    """Puts back what `delete` took away."""
    return desk.library.restore(ticket)


# samples -> Adapter


def add_samples(desk: Desk, character_id: str, files: Sequence[Path]) -> list[Sample]:
    """Stills and animations of the character, cut out, placed in its cell and judged; the artist has the last word."""
    from .character_samples import sample_from

    return [sample_from(desk, character_id, file) for file in files]


def samples(desk: Desk, character_id: str) -> list[Sample]:
    """The character's samples, oldest first."""
    return sample_files.listed(desk.library.within(character_id, "samples"))


def set_sample(
    desk: Desk,
    character_id: str,
    sample_id: str,
    *,
    keep: bool | None = None,
    action: str | None = None,
    caption: str | None = None,
) -> Sample:
    """Changes what is given and leaves the rest."""
    given = {"keep": keep, "action": action, "caption": caption}
    changes = {field: value for field, value in given.items() if value is not None}
    return sample_files.change(desk.library.within(character_id, "samples"), sample_id, **changes)


def train(desk: Desk, character_id: str, config: TrainConfig) -> Job:
    """Queues the learning of the character's look from its art and kept samples."""
    who = desk.library.character(character_id)
    payload = {"adapter": new_id(), "config": asdict(config)}
    return desk.jobs.submit("train", f"Train {who.name}", payload, character_id)


def adapters(desk: Desk, character_id: str) -> list[Adapter]:
    """Finished looks, newest first; the name of its folder is a look's id."""
    return desk.library.adapters(character_id)


def use_adapter(desk: Desk, character_id: str, adapter_id: str | None) -> Character:
    """Draws with this look from now on; None goes back to the base model."""
    if adapter_id is not None:
        desk.library.adapter(character_id, adapter_id)
    return desk.library.change(character_id, lambda now: replace(now, adapter=adapter_id))


# Adapter -> Clip -> Sheet -> engine


def animate(desk: Desk, character_id: str, orders: Sequence[ActionOrder], use_adapter: bool = True) -> Job:
    """Queues the drawing of actions. Each becomes a clip of its own as soon as it is finished."""
    if not orders:
        raise RequestError("Choose at least one action to animate.")
    who = desk.library.character(character_id)
    kept = [replace(order, file=desk.library.keep(character_id, order.file)).to_json() for order in orders]
    payload = {"orders": kept, "clips": [new_id() for _ in orders], "adapter": who.adapter if use_adapter else None}
    title = f"Animate {who.name}: {', '.join(order.action for order in orders)}"
    return desk.jobs.submit("animate", title, payload, character_id)


def clips(desk: Desk, character_id: str) -> list[ClipRecord]:
    """Finished clips, newest first."""
    return clip_files.listed(desk.library.within(character_id, "clips"))


def edit_clip(desk: Desk, character_id: str, clip_id: str, edits: Any, position: int) -> ClipRecord:
    """Keeps what the artist did by hand, as JSON of `sprites.edits`; the first `position` count, undo lowers it."""
    return clip_files.edit(desk.library.within(character_id, "clips"), clip_id, edits, position)


def export(desk: Desk, character_id: str, clip_ids: Sequence[str], options: ExportOptions) -> Job:
    """Queues one sheet of these clips with files for engines; the result names `zip`, `pages` and `report`."""
    if not clip_ids:
        raise RequestError("Choose at least one clip for the sheet.")
    who = desk.library.character(character_id)
    payload = {"export": new_id(), "clips": [checked(name) for name in clip_ids], "options": options.to_json()}
    return desk.jobs.submit("export", f"Export {who.name}", payload, character_id)


# jobs


def jobs(desk: Desk) -> list[Job]:
    """The owner's jobs, newest first."""
    return desk.jobs.listed()


def job(desk: Desk, job_id: str) -> Job:
    """One job as it is now. Raises `LibraryError` for anybody else's."""
    return desk.jobs.get(job_id)


def cancel(desk: Desk, job_id: str) -> Job:
    """Stops a job at its next step, or takes it out of the queue; what it had finished stays."""
    return desk.jobs.cancel(job_id)


def retry(desk: Desk, job_id: str) -> Job:
    """Queues a failed or cancelled job again; it goes on where it stopped."""
    return desk.jobs.retry(job_id)


def events(desk: Desk, job_id: str, after: int = 0) -> list[JobEvent]:
    """What a job told since the event numbered `after`."""
    return desk.jobs.events(job_id, after)


def add_examples(desk: Desk) -> list[Character]:
    """Fills an empty library with the characters that come with the app, the knight first."""
    from .examples import fill

    return fill(desk)
