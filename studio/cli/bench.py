"""A desk whose jobs this process does itself, at once."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipelines.errors import Cancelled, RequestError

from .. import flow
from ..jobs import Job
from ..library import Character, disk
from ..perform import perform
from ..settings import Settings, default_home
from ..studio import LOCAL_OWNER, Desk, Studio
from ..tasks.orders import ExportOptions
from ..tasks.palettes import palette_of
from .telling import Teller

Answer = tuple[Any, str]
"""The result as JSON-ready value, and in words."""


class Bench:
    """A desk whose jobs this process does itself, at once."""

    def __init__(self, studio: Studio, options: argparse.Namespace) -> None:
        self.studio = studio
        self.options = options
        self.worker = f"cli-{os.getpid()}-{secrets.token_hex(4)}"
        desk = studio.desk(options.owner)
        self.desk = replace(desk, jobs=replace(desk.jobs, worker=self.worker))

    def character(self) -> Character:
        """The character that ART.png|CHARACTER means; a picture becomes a new one."""
        named = self.options.art
        if not Path(named).is_file():
            return find(self.desk, named)
        who = flow.new_character(self.desk, Path(named), method=self.options.method)
        if who.note:
            print(who.note, file=sys.stderr)
        given = {name: getattr(self.options, name) or None for name in ("about", "weapon")}
        who = flow.set_character(self.desk, who.id, **given)
        return place_joints(self.desk, who, self.options.joints) if self.options.joints else who

    def do(self, job: Job) -> dict[str, Any]:
        """Does the job here; raises what it raised."""
        stop = threading.Event()

        def interrupted(*_: object) -> None:
            if stop.is_set():
                raise KeyboardInterrupt
            stop.set()

        # Ctrl-C only works in the main thread, and only there can it be handled.
        main = threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGINT, interrupted) if main else None
        try:
            outcome = perform(self.studio, job, self.worker, tell=Teller(), asked=stop.is_set)
        finally:
            if main:
                signal.signal(signal.SIGINT, before)
        if outcome.state == "cancelled":
            raise Cancelled
        if outcome.error:
            raise outcome.error
        return outcome.result or {}

    def sheet(self, who: Character, clip_ids: list[str]) -> Answer:
        """Exports the clips and copies files and zip into `--out`."""
        options = self.options
        wanted = ExportOptions(
            tuple(options.engine),
            options.layout,
            options.padding,
            scale=options.scale,
            max_size=options.max_size,
            motion=options.motion,
            palette=palette_of(options.palette),
            colours=options.colours,
            dither=options.dither,
            also=tuple(options.also),
            hues=tuple(map(int, options.hues)),
        )
        done = self.do(flow.export(self.desk, who.id, clip_ids, wanted))
        folder, packed = Path(done["folder"]), Path(done["zip"])
        with disk.saving("the sheet"):
            options.out.mkdir(parents=True, exist_ok=True)
            shutil.copytree(folder, options.out, dirs_exist_ok=True)
            shutil.copyfile(packed, options.out / packed.name)
        files = sorted(str(path) for path in options.out.iterdir() if path.is_file())
        pages = [str(options.out / Path(page).name) for page in done["pages"]]
        result = {"out": str(options.out), "files": files, "pages": pages, "zip": str(options.out / packed.name)}
        return {**result, "report": done["report"], "character": who.name}, "\n".join(files)


def inline(studio: Studio) -> Bench:
    """A bench for scripts: the studio's own artist, jobs done at once."""
    return Bench(studio, argparse.Namespace(owner=LOCAL_OWNER))


@contextmanager
def bench_for(options: argparse.Namespace, picture: bool = False) -> Iterator[Bench]:
    """A bench in the studio's home; for a bare picture, in a temporary one that is gone afterwards."""
    if not picture:
        yield Bench(_studio(options, options.home or default_home()), options)
        return
    with tempfile.TemporaryDirectory(prefix="sprightly-", ignore_cleanup_errors=True) as home:
        yield Bench(_studio(options, Path(home)), options)


def _studio(options: argparse.Namespace, home: Path) -> Studio:
    with disk.saving("the studio's folder"):
        return Studio(Settings(home=home, device=options.device))


def find(desk: Desk, named: str) -> Character:
    """The character with this id, or the only one with this name."""
    found = [who for who in flow.characters(desk) if named in (who.id, who.name)]
    if not found:
        raise RequestError(f"There is no file and no character called {named!r}; see: python -m studio characters")
    if len(found) > 1:
        ids = ", ".join(who.id for who in found)
        raise RequestError(f"{len(found)} characters are called {named!r}; name one by its id: {ids}")
    return found[0]


def place_joints(desk: Desk, who: Character, file: Path) -> Character:
    """Joints placed by hand: {"joints": {"pelvis": [x, y], ...}, "size": [w, h], "facing": "right"}."""
    try:
        body = json.loads(file.read_text(encoding="utf-8"))
        width, height = body.get("size", who.size)
        fx, fy = who.size[0] / width, who.size[1] / height
        joints = {name: (p[0] * fx, p[1] * fy) if p else None for name, p in body["joints"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, ZeroDivisionError) as error:
        raise RequestError(f"{file} holds no joints that can be read ({error}).") from error
    if body.get("weapon"):
        flow.set_character(desk, who.id, weapon=str(body["weapon"]))
    return flow.set_joints(desk, who.id, joints, body.get("facing"))
