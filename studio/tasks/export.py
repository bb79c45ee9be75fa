"""Clips -> one sheet -> files for engines, in a folder and a zip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from pipelines.cancel import CancelToken
from pipelines.errors import RequestError
from pipelines.events import Done, Event, Step

from ..jobs import Job
from ..library import clips, disk
from ..sprites.errors import SpriteError
from ..sprites.export.archive import zip_pack
from ..sprites.export.names import made, safe_name
from ..sprites.export.pages import page_names
from ..sprites.export.registry import exporter
from ..sprites.export.sizes import sizes
from ..sprites.export.variants import variants
from ..sprites.palette import shared_palette
from ..sprites.palette_files import MOST, write_palette
from ..sprites.sheet import Sheet, SheetOptions
from ..studio import Desk
from .orders import ExportOptions
from .sheeting import actions_of

DONE = "export.json"
"""What the job answers with; it lies in every finished export."""


def run(job: Job, desk: Desk, cancel: CancelToken) -> Iterator[Event]:
    """Writes `exports/<id>/`; the folder takes its name only once everything is in it."""
    who = desk.library.character(job.character)
    shelf = desk.library.within(who.id, "clips")
    options = ExportOptions.from_json(job.payload["options"])
    folder = desk.library.within(who.id, "exports") / disk.checked(job.payload["export"])
    if (folder / DONE).is_file():
        # A worker that was lost after the last write had only not told of it.
        yield Done(disk.read_json(folder / DONE)["result"])
        return
    steps = len(options.targets) + 3
    try:
        targets = [exporter(key) for key in options.targets]
        yield Step(0, steps, "Reading the clips")
        records = [clips.load(shelf, clip_id) for clip_id in job.payload["clips"]]
        actions = actions_of(records, options, who.pixel_art)
        cancel.check()
        yield Step(1, steps, "Packing the sheet")
        name = safe_name(who.name, "character")
        packs = variants(actions, _sheet_options(options), options.also, options.hues, who.pixel_art, name)
        sheet = packs[name]
        with disk.saving("the export"), disk.unfinished(folder) as part:
            files: list[str] = []
            if options.palette or options.colours:
                shared = shared_palette([action.frames for action in actions], MOST)
                disk.write_bytes(made(part / name) / f"{name}.gpl", write_palette(shared, "gpl", who.name))
                files.append(f"{name}/{name}.gpl")
            for number, target in enumerate(targets):
                cancel.check()
                yield Step(2 + number, steps, f"Writing {target.label}")
                for title, pack in packs.items():
                    cancel.check()
                    written = target.write(pack, part / name, title)
                    files += [path.relative_to(part).as_posix() for path in written]
            packed = zip_pack(part / name)
            report = _report(sheet, part, files, packed.stat().st_size)
            report["packs"] = list(packs)
            if options.weigh:
                yield Step(steps - 1, steps, "Weighing WebP and video")
                report["weights"] = asdict(sizes(sheet))
            pages = [str(folder / name / page) for page in page_names(sheet, name) if (part / name / page).is_file()]
            result = {
                "character": who.id,
                "export": folder.name,
                "zip": str(folder / f"{name}.zip"),
                "report": report,
                "folder": str(folder / name),
                "pages": pages,
                "files": sorted(set(files)),
                "edits": [record.edit_key for record in records],
            }
            disk.write_json(part / DONE, {"options": options.to_json(), "result": result})
    except SpriteError as error:
        raise RequestError(str(error)) from error
    yield Step(steps, steps, "Packed")
    yield Done(result)


def _sheet_options(options: ExportOptions) -> SheetOptions:
    return SheetOptions(**{item.name: getattr(options, item.name) for item in fields(SheetOptions)})


def _report(sheet: Sheet, folder: Path, files: list[str], zipped: int) -> dict[str, Any]:
    """Sizes that an engine programmer asks for."""
    return {
        "frames": len(sheet.entries),
        "actions": {tag.name: tag.last - tag.first + 1 for tag in sheet.tags},
        "pages": [[page.shape[1], page.shape[0]] for page in sheet.pages],
        "cell": list(sheet.cell),
        "pivot": list(sheet.pivot),
        "texture_bytes": sum(page.nbytes for page in sheet.pages),
        "unpacked_bytes": len(sheet.entries) * sheet.cell[0] * sheet.cell[1] * 4,
        "file_bytes": sum((folder / file).stat().st_size for file in sorted(set(files))),
        "zip_bytes": zipped,
    }
