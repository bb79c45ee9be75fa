"""The library of one owner: a folder per character, a trash, nothing outside its root."""

from __future__ import annotations

import hashlib
import logging
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from pipelines.adapter import Adapter
from pipelines.errors import LibraryError
from pipelines.figure import BODY_SHARE, Figure, place

from . import disk, history, joints
from .character import Character

log = logging.getLogger(__name__)

KINDS = ("samples", "clips", "adapters", "exports")
"""What a character's folder holds, each with one folder per id."""


def owner_folder(owner: str) -> str:
    """An owner's name as a folder name that two different owners never share, on any file system."""
    readable = re.sub(r"[^a-z0-9]+", "-", owner.casefold()).strip("-")[:24] or "owner"
    return f"{readable}-{hashlib.sha256(owner.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


@dataclass(frozen=True)
class Library:
    """Reads and writes under `root` and nowhere else. Ids are checked, so no text of a user becomes a path."""

    root: Path

    # characters

    def folder(self, character_id: str) -> Path:
        """The character's folder. Raises `LibraryError` when this library has no such character."""
        folder = self.root / "characters" / disk.checked(character_id)
        if not (folder / "character.json").is_file():
            raise LibraryError("This character is not in your library; open the list again and choose from it.")
        return folder

    def within(self, character_id: str, kind: str) -> Path:
        """`samples`, `clips`, `adapters` or `exports` of a character."""
        if kind not in KINDS:
            raise LibraryError(f"A character keeps {', '.join(KINDS)}; not {kind!r}.")
        return self.folder(character_id) / kind

    def characters(self) -> list[Character]:
        """All characters, newest first."""
        found: list[Character] = []
        for record in (self.root / "characters").glob("*/character.json"):
            try:
                found.append(Character.from_json(disk.read_json(record)))
            except (LibraryError, TypeError, KeyError) as error:
                # One damaged record must not hide the others.
                log.warning("%s cannot be read and is left as it is: %s", record, error)
        return sorted(found, key=lambda character: (character.created, character.id), reverse=True)

    def character(self, character_id: str) -> Character:
        return Character.from_json(disk.read_json(self.folder(character_id) / "character.json"))

    def create(self, character: Character, art: np.ndarray, original: Path) -> Character:
        """Stores a new character with its cut-out art and the untouched upload; `character.json` comes last."""
        folder = self.root / "characters" / disk.checked(character.id)
        data, suffix = original.read_bytes(), disk.suffix(original)
        try:
            with disk.saving("the character"):
                folder.mkdir(parents=True)
                disk.write_bytes(folder / f"original{suffix}", data)
                disk.write_picture(folder / "art.png", art)
                placed = _placed(character, art)
                disk.write_json(folder / "character.json", placed.to_json())
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return placed

    def change(
        self, character_id: str, edit: Callable[[Character], Character], art: np.ndarray | None = None
    ) -> Character:
        """Reads, edits and writes one character under a lock: two tabs or a worker never undo each other's fields."""
        folder = self.folder(character_id)
        with FileLock(folder / ".lock", timeout=20), disk.saving("the change"):
            before = self.character(character_id)
            after = edit(before)
            if art is not None:
                disk.write_picture(folder / "art.png", art)
            if art is not None or _drawn(after) != _drawn(before):
                after = _placed(after, self.art(character_id))
            disk.write_json(folder / "character.json", after.to_json())
        return after

    def art(self, character_id: str) -> np.ndarray:
        """uint8 (H, W, 4) straight alpha."""
        return disk.read_picture(self.folder(character_id) / "art.png")

    def original(self, character_id: str) -> Path:
        """The upload, byte for byte, under a name of ours."""
        return next(self.folder(character_id).glob("original*"))

    def keep(self, character_id: str, file: str | Path | None) -> str | None:
        """Copies an upload to where a queued job still finds it; its name there, for `kept`. None stays None."""
        if file is None or (disk.is_name(str(file)) and self.kept(character_id, str(file)).is_file()):
            return None if file is None else str(file)
        target = self.kept(character_id, disk.new_id() + disk.suffix(Path(file)))
        with disk.saving("the file"):
            target.parent.mkdir(exist_ok=True)
            disk.write_bytes(target, Path(file).read_bytes())
        return target.name

    def kept(self, character_id: str, name: str) -> Path:
        """The file of that name that `keep` gave."""
        if not disk.is_name(name):
            raise LibraryError("This file is no longer in the library; choose it again.")
        return self.folder(character_id) / "guidance" / name

    def figure(self, character_id: str) -> Figure:
        """Art and joints as every model takes them."""
        return figure_of(self.character(character_id), self.art(character_id))

    def adapters(self, character_id: str) -> list[Adapter]:
        """Finished looks, newest first; the folder's name is the id. A damaged one is left out."""
        folder = self.within(character_id, "adapters")
        done = [entry for entry in folder.glob("*/adapter.json") if entry.parent.name[0] != "."]
        done.sort(key=lambda entry: entry.stat().st_mtime, reverse=True)
        found = []
        for entry in done:
            try:
                found.append(Adapter.load(entry.parent))
            except (LibraryError, TypeError, ValueError) as error:
                log.warning("Look %s cannot be read: %s", entry.parent.name, error)
        return found

    def adapter(self, character_id: str, adapter_id: str) -> Adapter:
        return Adapter.load(self.within(character_id, "adapters") / disk.checked(adapter_id))

    # joints, with undo

    def set_joints(self, character_id: str, new: joints.Joints, facing: Any = None) -> Character:
        """Writes joints (and facing) and remembers the ones before."""

        def edit(now: Character) -> Character:
            history.record(self._history(character_id), {"joints": now.joints, "facing": now.facing})
            return replace(now, joints=new, facing=facing or now.facing)

        return self.change(character_id, edit)

    def step_joints(self, character_id: str, back: bool) -> Character:
        """Undo (`back`) or redo; the character itself when there is nothing to go to."""

        def edit(now: Character) -> Character:
            walk = history.undo if back else history.redo
            state = walk(self._history(character_id), {"joints": now.joints, "facing": now.facing})
            return Character.from_json({**now.to_json(), **state}) if state else now

        return self.change(character_id, edit)

    def _history(self, character_id: str) -> Path:
        return self.folder(character_id) / "joints_history.json"

    # trash

    def discard(self, character_id: str, kind: str = "", item_id: str = "") -> str:
        """Moves a character, or one item of it, to the trash; the returned id restores it."""
        folder = self.within(character_id, kind) / disk.checked(item_id) if kind else self.folder(character_id)
        if not folder.is_dir():
            raise LibraryError("That is no longer in this library; open the list again.")
        ticket = disk.new_id()
        about = {"from": folder.relative_to(self.root).as_posix(), "when": time.time()}
        with disk.saving("the trash"):
            target = self.root / "trash" / ticket
            target.mkdir(parents=True)
            disk.write_json(target / "about.json", about)
            disk.move(folder, target / "item")
        return ticket

    def restore(self, ticket: str) -> Path:
        """Puts an item back where it was. Raises `LibraryError` when that place is gone or taken."""
        source = self.root / "trash" / disk.checked(ticket)
        place_again = self.root / disk.read_json(source / "about.json")["from"]
        if place_again.exists():
            raise LibraryError("There is already something in its place; nothing was restored.")
        if not place_again.parent.is_dir() or (
            place_again.parent.name in KINDS and not (place_again.parent.parent / "character.json").is_file()
        ):
            raise LibraryError("Its character is in the trash too; restore the character first.")
        disk.move(source / "item", place_again)
        shutil.rmtree(source, ignore_errors=True)
        return place_again

    def trash(self) -> list[dict[str, Any]]:
        """What can be restored, newest first: `id`, `from` (path in the library) and `when`."""
        found = [
            {"id": about.parent.name, **disk.read_json(about)}
            for about in (self.root / "trash").glob("*/about.json")
            if (about.parent / "item").is_dir()
        ]
        return sorted(found, key=lambda item: item["when"], reverse=True)


def figure_of(character: Character, art: np.ndarray) -> Figure:
    """The figure of a record and its pixels."""
    return Figure(
        art=art,
        joints=joints.to_array(character.joints),
        facing=character.facing,
        pixel_art=character.pixel_art,
        weapon=character.weapon,
        body_share=character.body_share or BODY_SHARE,
    )


def _drawn(character: Character) -> tuple[Any, ...]:
    return character.joints, character.facing, character.pixel_art


def _placed(character: Character, art: np.ndarray) -> Character:
    height, width = art.shape[:2]
    anew = replace(character, body_share=None)  # another figure reaches elsewhere
    return replace(anew, placement=place(figure_of(anew, art)), size=(width, height))
