"""The pages say what is true: links lead somewhere, commands parse, tables name what there is, code runs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipelines.cancel import CancelToken
from pipelines.matting import METHODS
from pipelines.matting.methods import Order
from pipelines.pose.motion import ACTIONS
from studio.cli.parser import build_parser
from studio.library import Character
from studio.sprites.export.registry import EXPORTERS
from studio.studio import Desk
from tests.conftest import REPO

PAGES = [REPO / "README.md", REPO / "CONTRIBUTING.md", *sorted((REPO / "docs").rglob("*.md"))]
LARGEST = 600_000
"""Bytes of a picture."""


def named(page: Path) -> str:
    return page.relative_to(REPO).as_posix()


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def prose(text: str) -> str:
    """Without code blocks, in which brackets mean something else."""
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(text: str) -> set[str]:
    """Headings as GitHub turns them into addresses."""
    titles = re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}


def blocks(mark: str) -> Iterator[Any]:
    """Python blocks that follow the comment `mark`, with their place."""
    for page in PAGES:
        text = text_of(page)
        for match in re.finditer(rf"<!-- {mark} -->\n```python\n(.*?)```", text, re.DOTALL):
            line = text[: match.start(1)].count("\n") + 1
            yield pytest.param(match.group(1), id=f"{named(page)}:{line}")


def commands() -> Iterator[Any]:
    """Every `python -m studio ...` of the pages, indented or in backticks."""
    for page in PAGES:
        for line in re.findall(r"(?:^    (?:\$ )?|`)python -m studio ([^`\n]+)", text_of(page), re.MULTILINE):
            if not re.match(r"[A-Z]", line):  # COMMAND stands for any
                yield pytest.param(line, id=f"{named(page)}: {line}")


def table(page: str, mark: str) -> list[list[str]]:
    """Cells of the table between two comments, without its head."""
    body = text_of(REPO / page).split(f"<!-- {mark} -->")[1].split(f"<!-- /{mark} -->")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in body.strip().splitlines()[2:]]


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_and_pictures_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(text_of(page))):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        found = (page.parent / place).resolve() if place else page
        assert found.exists() and found.is_relative_to(REPO), target
        if anchor:
            assert anchor in anchors(text_of(found)), target


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen, waiting = set(), [REPO / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or not page.is_file():
            continue
        seen.add(page)
        links = re.findall(r"\]\(([^)#\s]+\.md)", prose(text_of(page)))
        waiting += [(page.parent / link).resolve() for link in links if "://" not in link]
    assert {named(page) for page in PAGES} <= {named(page) for page in seen}


def test_pictures_are_small_and_used() -> None:
    everything = "".join(map(text_of, PAGES))
    pictures = sorted((REPO / "docs" / "pictures").iterdir())
    assert pictures
    for picture in pictures:
        assert picture.stat().st_size <= LARGEST, picture.name
        assert f"pictures/{picture.name}" in everything, f"no page shows {picture.name}"


@pytest.mark.parametrize("line", commands())
def test_commands_parse(line: str) -> None:
    words = shlex.split(line.replace(" ...", ""))
    options = build_parser().parse_args(words)
    for action in getattr(options, "actions", []):
        assert action in ACTIONS or action == "moonwalk"  # the page's example of a mistake
    for engine in getattr(options, "engine", []):
        assert engine in EXPORTERS


def test_all_commands_are_on_the_page() -> None:
    shown = [str(case.values[0]).split()[0] for case in commands()]
    assert set(shown) == set(re.findall(r"[\w]+", re.search(r"{(.+?)}", _choices()).group(1)))  # type: ignore[union-attr]


def _choices() -> str:
    """argparse's own list of commands, from the error for a wrong one."""
    names = [name for action in build_parser()._subparsers._group_actions for name in action.choices]  # type: ignore
    return "{" + ",".join(names) + "}"


def test_the_table_of_actions_is_the_library() -> None:
    rows = [
        [f"`{m.name}`", m.title, "loops" if m.loop else "once", str(m.frames), f"{m.fps:g}"] for m in ACTIONS.values()
    ]
    shown = table("docs/animate.md", "actions")
    assert [row[:5] for row in shown] == rows
    moments = [", ".join(m.phases).replace("_", " ") for m in ACTIONS.values()]
    assert [row[5] for row in shown] == moments


def test_the_table_of_exporters_is_the_registry() -> None:
    shown = table("docs/sheet.md", "exporters")
    assert [(row[0], row[1]) for row in shown] == [(row.label, f"`{key}`") for key, row in EXPORTERS.items()]
    for row, exporter in zip(shown, EXPORTERS.values(), strict=True):
        assert f"{exporter.extension}`" in row[2], row


def test_every_cut_out_method_is_on_the_page() -> None:
    page = text_of(REPO / "docs" / "character.md")
    for name, method in METHODS.items():
        assert f"`{name}`" in page and method.title in page, name


@pytest.mark.parametrize("code", [*blocks("runnable"), *blocks("runs")])
def test_code_compiles(code: str) -> None:
    compile(code, "page", "exec")


@pytest.fixture
def ran() -> dict[str, Any]:
    """The names that the examples of the page on extending define, after they ran."""
    names: dict[str, Any] = {"__name__": "page"}
    cases = list(blocks("runs"))
    assert len(cases) == 4
    for case in cases:
        exec(compile(case.values[0], case.id, "exec"), names)
    return names


def test_the_example_motion_moves(ran: dict[str, Any]) -> None:
    joints = ran["WAVE"].joints(10)
    assert np.isfinite(joints).all() and np.ptp(joints[:, 6, 1]) > 0.3  # the left wrist goes up


def test_the_example_exporter_writes(ran: dict[str, Any], tmp_path: Path) -> None:
    from studio.sprites.sheet import Action, build_sheet

    frames = np.zeros((2, 8, 8, 4), np.uint8)
    frames[0, 2:6, 2:6] = frames[1, 3:6, 1:7] = 255
    sheet = build_sheet([Action("walk", frames, (80, 90), True, (4.0, 7.0))])
    paths = ran["write"](sheet, tmp_path, "hero")
    assert [path.name for path in paths] == ["hero.png", "hero.lua"]
    lua = paths[1].read_text(encoding="utf-8")
    assert '["walk"] = {loop=true, {page=1, ' in lua and "left=2, top=2, ms=80}" in lua and "ms=90}" in lua


def test_the_example_cut_out_clears_white(ran: dict[str, Any]) -> None:
    picture = np.full((4, 4, 4), 255, np.uint8)
    picture[1, 1, :3] = 0
    picture[2, 2, :3] = (128, 128, 255)
    layer = ran["ROW"].run(Order(picture))
    assert layer.alpha[0, 0] == 0 and layer.alpha[1, 1] == 255 and layer.alpha[2, 2] == 127
    assert tuple(layer.rgb[2, 2]) == (0, 0, 255)


def test_the_example_model_draws(ran: dict[str, Any], desk: Desk, hero: Character) -> None:
    from pipelines.pose.retarget import fit
    from pipelines.request import GenerateRequest

    figure = desk.library.figure(hero.id)
    pose = fit(ACTIONS["walk"], figure, hero.placement, 4, 10)
    request = GenerateRequest(figure, "walk", frames=4, fps=10, loop=True, size=hero.cell, pose=pose)
    steps: list[tuple[int, int]] = []
    clip = ran["RigBackend"]().generate(request, lambda done, of: steps.append((done, of)), CancelToken())
    assert clip.frames.shape == (4, hero.cell, hero.cell, 4) and clip.frames[..., 3].any() and steps == [(1, 1)]
