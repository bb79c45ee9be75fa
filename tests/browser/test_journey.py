"""An artist's whole way, in the browser: from a picture to the downloaded zip."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.conftest import REPO

from .conftest import PATIENCE, App, Visit, open_tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]
KNIGHT = REPO / "examples" / "art" / "knight.png"


def test_from_upload_to_the_downloaded_zip(visit: Visit, app: App, tmp_path: Path) -> None:
    page = visit()
    page.locator("#sp-switcher").click()
    page.get_by_role("menuitem", name="New character").click()
    page.locator("#sp-drop input[type=file]").set_input_files(str(KNIGHT))

    # the upload became a character: its joints lie over the art, and one can be moved by keyboard
    expect(page.get_by_role("textbox", name="Name")).to_have_value("knight", timeout=PATIENCE * 1000)
    wrist = page.get_by_role("button", name="right wrist", exact=True)
    expect(wrist).to_be_visible()
    desk = app.desk()
    made = desk.library.characters()[0]
    wrist.focus()
    page.keyboard.press("Shift+ArrowUp")
    expect(page.get_by_role("button", name="Undo (Ctrl+Z)")).to_be_enabled()
    page.wait_for_function("() => !document.querySelector('.sp-joint-bar button').disabled")
    before, moved = made.joints["r_wrist"], None
    for _ in range(100):
        moved = desk.library.character(made.id).joints["r_wrist"]
        if moved != before:
            break
        page.wait_for_timeout(100)
    assert before and moved and moved[1] < before[1] - 5 and moved[0] == pytest.approx(before[0])

    # two actions become clips
    page.locator("#sp-to-animate").click()
    tiles = page.get_by_role("group", name="Actions")
    expect(tiles.get_by_role("button", name="Idle")).to_have_attribute("aria-pressed", "true")
    tiles.get_by_role("button", name="Walk").click()
    tiles.get_by_role("button", name="Slash").click()
    page.get_by_role("button", name="Animate 2 actions").click()
    clips = page.locator("#sp-clips article")
    expect(clips).to_have_count(2, timeout=PATIENCE * 1000)
    expect(clips.locator("canvas").first).to_be_visible()
    _plays(page, clips.first)

    # and a sheet
    page.locator("#sp-to-sheet").click()
    expect(page.locator("#sp-sheet-clips .is-picked")).to_have_count(2)
    page.locator("#sp-make").click()
    expect(page.locator("#sp-download")).to_be_visible(timeout=PATIENCE * 1000)
    expect(page.locator("#sp-atlas figure img")).to_be_visible()
    with page.expect_download() as caught:
        page.locator("#sp-download").click()
    caught.value.save_as(tmp_path / "sheet.zip")
    _holds_a_sheet(tmp_path / "sheet.zip")
    open_tab(page, "Jobs")
    expect(page.locator(".sp-job[data-state=done]")).to_have_count(2)


def _plays(page: object, clip: object) -> None:
    """Space stops it, arrows step it, and the counter follows."""
    clip.focus()  # type: ignore[attr-defined]
    page.keyboard.press("ArrowRight")  # type: ignore[attr-defined]
    expect(clip.get_by_role("button", name="Play (space)")).to_be_visible()  # type: ignore[attr-defined]
    before = clip.locator(".sp-count").inner_text()  # type: ignore[attr-defined]
    page.keyboard.press("ArrowRight")  # type: ignore[attr-defined]
    expect(clip.locator(".sp-count")).not_to_have_text(before)  # type: ignore[attr-defined]


def _holds_a_sheet(path: Path) -> None:
    """Pages with visible pixels, and an Aseprite table whose tags are the two actions."""
    with zipfile.ZipFile(path) as packed:
        assert packed.testzip() is None
        names = packed.namelist()
        tables = [json.loads(packed.read(name)) for name in names if name.endswith(".json")]
        tags = {tag["name"] for table in tables for tag in table.get("meta", {}).get("frameTags", [])}
        assert tags == {"idle", "slash"}
        assert any(name.endswith(".tres") for name in names)
        pages = [Image.open(io.BytesIO(packed.read(name))) for name in names if name.endswith(".png")]
    assert pages and all((np.asarray(page.convert("RGBA"))[..., 3] > 0).mean() > 0.02 for page in pages)
