"""What a browser sends is checked; what a widget draws cannot become markup; nothing is fetched from outside."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.pose.skeleton import JOINTS
from studio.ui import theme
from studio.ui.widgets.action_tiles import read_picked
from studio.ui.widgets.job_list import read_logs
from studio.ui.widgets.joint_editor import BONES, read_joints
from tests.conftest import REPO

UI = REPO / "studio" / "ui"
SCRIPTS = sorted((UI / "widgets").glob("*.js"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@given(JSON)
def test_anything_may_come_from_a_browser(sent: Any) -> None:
    for value in (sent, {"joints": sent}, {"joints": {"pelvis": sent}}, {"picked": sent, "logs": sent}):
        for point in read_joints(value).values():
            assert point is None or all(math.isfinite(part) for part in point)
        assert all(isinstance(name, str) for name in [*read_picked(value), *read_logs(value)])


def test_joints_are_read_by_name() -> None:
    read = read_joints({"joints": {"pelvis": [3, 4.5, 1], "head": None, "third_arm": [1, 1, 1]}})
    assert read["pelvis"] == (3.0, 4.5) and read["head"] is None and set(read) == set(JOINTS)
    assert read_joints({"joints": {"pelvis": [float("nan"), 1, 1]}})["pelvis"] is None
    assert len(BONES) == len(JOINTS) - 1


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_build_no_markup_from_text(script: Path) -> None:
    """User text can only become a text node: no script may parse HTML or code."""
    code = script.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", code)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_pictures_come_from_this_server(script: Path) -> None:
    code = script.read_text(encoding="utf-8")
    for target in re.findall(r"\b(?:src|href): ?([^,\n]+)", code):
        assert target.startswith("S.safeUrl("), target


def test_templates_never_hold_the_value() -> None:
    """Gradio re-renders a template that does, which would destroy what the script drew."""
    for path in (UI / "widgets").glob("*.html"):
        assert "value" not in path.read_text(encoding="utf-8")


def test_nothing_is_fetched_from_outside() -> None:
    for path in UI.rglob("*"):
        if path.suffix in {".py", ".js", ".css", ".html"}:
            fetched = "|@import|url\\(" if path.suffix == ".css" else ""
            found = set(re.findall(r"https?://[^\s\"')]+" + fetched, path.read_text(encoding="utf-8")))
            assert found <= {"http://www.w3.org/2000/svg"}, path
    assert theme.theme()._stylesheets == []


def test_the_page_needs_no_model() -> None:
    code = "import sys, studio.ui.app; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True, check=True)
    assert not {"torch", "diffusers", "transformers", "peft"} & set(done.stdout.split())
