"""What each command does."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipelines.adapter import Adapter
from pipelines.errors import RequestError

from .. import flow
from ..jobs import Job
from ..library import Character, disk
from ..settings import Settings, default_home
from ..studio import Desk
from ..tasks.orders import ActionOrder, Guidance
from .bench import Answer, bench_for, find


def animate(options: argparse.Namespace) -> Answer:
    """Art or character -> clips -> sheet in `--out`. A bare picture leaves nothing behind but that folder."""
    with bench_for(options, picture=Path(options.art).is_file()) as bench:
        who = bench.character()
        desk = bench.desk
        if options.size:
            who = flow.set_character(desk, who.id, cell=options.size)
        if options.look:
            who = flow.use_adapter(desk, who.id, _look(desk, who, options.look))
        guidance: Guidance = "file" if options.pose else "library"
        orders = [
            ActionOrder(
                action,
                options.frames,
                options.fps,
                options.energy,
                guidance,
                str(options.pose) if options.pose else None,
                options.pose_reader,
                options.strength,
                seed=options.seed,
                steps=options.steps,
            )
            for action in options.actions
        ]
        drawn = bench.do(flow.animate(desk, who.id, orders, use_adapter=who.adapter is not None))
        return bench.sheet(who, drawn["clips"])


def train(options: argparse.Namespace) -> Answer:
    """Art or character and samples -> a look in the library, and in `--out` when asked for."""
    from lora_trainer.config import PRESETS

    given = {"steps": options.steps, "rank": options.rank, "seed": options.seed}
    config = replace(PRESETS[options.preset].config, **{k: v for k, v in given.items() if v is not None})
    with bench_for(options) as bench:
        who = bench.character()
        config = replace(config, backend=who.backend)
        # An interrupted run has its samples frozen; new ones ask for a new run.
        job = None if options.samples else _interrupted(bench.desk, who, config.to_json())
        if job is not None:
            print("Going on with the training that was interrupted.", file=sys.stderr)
        else:
            for sample in flow.add_samples(bench.desk, who.id, options.samples):
                print(f"{sample.name}: {sample.note}" if sample.note else sample.name, file=sys.stderr)
            job = flow.train(bench.desk, who.id, config)
        done = bench.do(job)
        if options.out:
            with disk.saving("the copy of the look"):
                shutil.copytree(done["adapter"], options.out, dirs_exist_ok=True)
        result = {**done, "name": who.name}
        return result, f"{who.name} ({who.id}) has a new look: {done['adapter_id']}"


def export(options: argparse.Namespace) -> Answer:
    """Clips of the library -> sheet in `--out`."""
    with bench_for(options) as bench:
        who = find(bench.desk, options.character)
        newest = {record.action: record.id for record in reversed(flow.clips(bench.desk, who.id))}
        clip_ids = options.clips or list(newest.values())
        if not clip_ids:
            raise RequestError(f"{who.name} has no clips yet; draw some with: python -m studio animate {who.id}")
        return bench.sheet(who, clip_ids)


def jobs(options: argparse.Namespace) -> Answer:
    """The owner's jobs, newest first."""
    with bench_for(options) as bench:
        if options.cancel:
            flow.cancel(bench.desk, options.cancel)
        if options.retry:
            flow.retry(bench.studio.desk(options.owner), options.retry)
        found = flow.jobs(bench.desk)
    shown = [
        {
            "id": job.id,
            "kind": job.kind,
            "title": job.title,
            "state": job.state,
            "error": job.error,
            "result": job.result,
        }
        for job in found
    ]
    return shown, "\n".join(f"{job.id}  {job.state:9}  {job.title}" for job in found) or "No jobs yet."


def characters(options: argparse.Namespace) -> Answer:
    """The library."""
    with bench_for(options) as bench:
        found = flow.characters(bench.desk)
    shown = [{"id": who.id, "name": who.name, "cell": who.cell, "adapter": who.adapter} for who in found]
    return shown, "\n".join(f"{who.id}  {who.name}" for who in found) or "The library is empty."


def accounts(options: argparse.Namespace) -> Answer:
    """Who may log in. The password is asked for, or read from SPRIGHTLY_PASSWORD."""
    import getpass

    from ..accounts import Accounts

    book = Accounts(Settings(home=options.home or default_home()).accounts_path)
    if options.action != "list" and not options.name:
        raise RequestError(f"Say whom: python -m studio accounts {options.action} NAME")
    if options.action == "add":
        book.add(options.name, os.environ.get("SPRIGHTLY_PASSWORD") or getpass.getpass("Password: "))
    elif options.action == "remove" and not book.remove(options.name):
        raise RequestError(f"There is no account called {options.name!r}.")
    names = book.names()
    return names, "\n".join(names) or "No accounts yet."


COMMANDS: dict[str, Callable[[argparse.Namespace], Answer]] = {
    command.__name__: command for command in (animate, train, export, jobs, characters, accounts)
}


def _interrupted(desk: Desk, who: Character, config: dict[str, Any]) -> Job | None:
    """The last training of this character, taken up again when it was stopped or failed with the same settings."""
    runs = [job for job in flow.jobs(desk) if job.kind == "train" and job.character == who.id]
    if runs and runs[0].state in ("cancelled", "failed") and runs[0].payload["config"] == config:
        return flow.retry(desk, runs[0].id)
    return None


def _look(desk: Desk, who: Character, named: str) -> str | None:
    """The id of a look; a folder from elsewhere is copied in, "none" is the base model."""
    if named == "none":
        return None
    if not Path(named).is_dir():
        return named
    Adapter.load(Path(named))
    adapter_id = disk.new_id()
    with disk.saving("the look"):
        shutil.copytree(named, desk.library.within(who.id, "adapters") / adapter_id)
    return adapter_id
