"""The film strip by keyboard: every key becomes an edit that is kept with the clip, and undo takes it back."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from pipelines.clip import Clip
from studio import flow
from studio.library import clips
from studio.library.disk import new_id

from .conftest import App, Visit, open_tab

pytestmark = pytest.mark.browser


def test_the_strip_is_edited_by_keyboard(visit: Visit, app: App) -> None:
    desk = app.desk()
    who = flow.characters(desk)[0]
    frames = np.zeros((5, 64, 64, 4), np.uint8)
    for number in range(5):
        frames[number, 8:56, 10 + 6 * number : 26 + 6 * number] = (40 * number, 120, 200, 255)
    made = new_id()
    clips.add(desk.library.within(who.id, "clips"), made, Clip(frames, 10, "walk", loop=True), {}, 1.0)

    def kept() -> list[str]:
        record = flow.clips(desk, who.id)[0]
        return [row["do"] for row in clips.to_json(record.edits[: record.position])]

    page = visit()
    open_tab(page, "Sheet")
    cels = page.get_by_role("listbox", name="Walk").get_by_role("option")
    expect(cels).to_have_count(5)
    cels.first.click()
    page.keyboard.press("ArrowRight")
    expect(cels.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Delete")
    expect(cels).to_have_count(4)
    page.keyboard.press("h")
    expect(cels.nth(1)).to_contain_text("200 ms")
    for key in ("m", "d"):  # the second comes before the answer to the first: it waits its turn
        page.keyboard.press(key)
    expect(cels).to_have_count(5)
    assert kept() == ["delete", "hold", "mirror", "duplicate"]
    page.keyboard.press("Control+z")
    expect(cels).to_have_count(4)
    page.get_by_role("button", name="Undo (Ctrl+Z)").locator("visible=true").click()
    page.get_by_role("button", name="Undo (Ctrl+Z)").locator("visible=true").click()
    expect(cels.nth(1)).to_contain_text("100 ms")
    assert kept() == ["delete"]
    page.keyboard.press("Control+Shift+z")
    expect(cels.nth(1)).to_contain_text("200 ms")
    page.get_by_label("Timing").select_option(label="On twos")
    expect(cels).to_have_count(2)
    assert kept() == ["delete", "hold", "retime"]
