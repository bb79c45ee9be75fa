"""One choice for the engine sets every detail of the sheet."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Visit, open_tab

pytestmark = pytest.mark.browser


def test_choosing_an_engine_sets_files_and_details(visit: Visit) -> None:
    page = visit()
    open_tab(page, "Sheet")
    page.locator("#sp-engine input").click()
    page.get_by_role("option", name="GameMaker").click()
    page.locator("#sp-sheet-more button").first.click()
    boxes = page.locator("#sp-targets")
    expect(boxes.get_by_label("GameMaker strips")).to_be_checked()
    expect(boxes.get_by_role("checkbox", checked=True)).to_have_count(1)
    expect(page.locator("#sp-trim input")).not_to_be_checked()
    page.locator("#sp-engine input").click()
    page.get_by_role("option", name="Unity").click()
    expect(page.locator("#sp-padding input")).to_have_value("4")
    expect(page.locator("#sp-extrude input")).to_have_value("1")
    expect(page.locator("#sp-trim input")).to_be_checked()


def test_the_players_buttons_stand_on_one_line(visit: Visit) -> None:
    page = visit()
    open_tab(page, "Sheet")
    bar = page.locator("#sp-sheet-player .sp-bar")
    expect(bar).to_have_class("sp-bar is-narrow")
    tops = bar.evaluate("bar => [...bar.querySelectorAll('button')].map(b => b.getBoundingClientRect().top)")
    assert len(tops) == 5 and len(set(tops)) == 1
