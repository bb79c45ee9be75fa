"""The page as such: fits its window, asks nobody outside, escapes what users write, works by keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from studio import flow

from .conftest import App, Visit, open_tab

pytestmark = pytest.mark.browser
TABS = ("Character", "Samples", "Train", "Animate", "Sheet", "Live", "Jobs")
OVERFLOW = """() => {
  const page = document.documentElement, wide = page.scrollWidth - innerWidth, high = page.scrollHeight - innerHeight;
  const cut = [...document.querySelectorAll('.sp-left, .sp-right, .sp-stage')]
    .filter((pane) => pane.offsetParent && pane.scrollWidth > pane.clientWidth + 1).map((pane) => pane.className);
  return [Math.max(0, wide), Math.max(0, high), cut];
}"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080)])
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_every_tab_fits_its_window_and_asks_nobody_outside(
    visit: Visit, app: App, width: int, height: int, scheme: str
) -> None:
    page = visit(width, height, color_scheme=scheme)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    expect(page.get_by_role("textbox", name="Name")).to_have_value("Knight")
    for name in TABS:
        open_tab(page, name)
        page.wait_for_timeout(250)
        assert page.evaluate(OVERFLOW) == [0, 0, []], name
    outside = [url for url in asked if not url.startswith((app.url, "data:", "blob:"))]
    assert asked and outside == []


def test_tabs_come_in_working_order(visit: Visit) -> None:
    page = visit()
    assert page.locator("#sp-tabs button[role=tab]:visible").all_inner_texts() == list(TABS)
    assert "coming soon" not in page.content().lower()


def test_keys_open_tabs_and_the_help(visit: Visit) -> None:
    page = visit()
    page.locator("body").press("4")
    expect(page.get_by_role("tab", name="Animate")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    box = page.get_by_role("textbox", name="What it looks like")
    before = box.input_value()
    box.press("End")
    box.press("3")
    expect(box).to_have_value(re.compile("3"))
    expect(page.get_by_role("tab", name="Character")).to_have_attribute("aria-selected", "true")
    box.fill(before)


def test_what_users_write_never_becomes_markup(visit: Visit, app: App) -> None:
    desk = app.desk()
    who = flow.characters(desk)[0]
    evil = "<img src=x onerror='window.pwned=1'><b>bold</b>"
    flow.set_character(desk, who.id, name=evil, about=evil)
    try:
        page = visit()
        expect(page.locator("#sp-switcher strong")).to_have_text(evil)
        page.locator("#sp-switcher").click()
        expect(page.get_by_role("menuitemradio", name=evil)).to_be_visible()
        for name in TABS:
            open_tab(page, name)
            page.wait_for_timeout(200)
        open_tab(page, "Character")
        cell = page.locator("#sp-cell input")
        cell.fill(evil)
        cell.press("Enter")
        expect(page.get_by_text("A cell is a whole number of pixels")).to_contain_text("<img src=x")
        assert page.evaluate("window.pwned") is None and page.locator("img[src=x]").count() == 0
    finally:
        flow.set_character(desk, who.id, name="Knight", about=who.about)


def test_a_joint_is_dragged_taken_away_and_brought_back(visit: Visit, app: App) -> None:
    page = visit()
    knee = page.locator("g.sp-dot[aria-label='left knee']")
    expect(knee).to_be_visible()
    box = knee.bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 30, middle[1] - 20, steps=4)
    page.mouse.up()
    now = _middle(page, "left knee")
    assert now == pytest.approx((middle[0] + 30, middle[1] - 20), abs=2)
    page.keyboard.press("Delete")
    expect(knee).to_be_hidden()
    chip = page.locator(".sp-chip", has_text="left knee")
    expect(chip).to_be_visible()
    page.get_by_role("button", name="Undo (Ctrl+Z)").click()
    expect(knee).to_be_visible()
    page.get_by_role("button", name="Undo (Ctrl+Z)").click()
    assert _middle(page, "left knee") == pytest.approx(middle, abs=2)
    page.get_by_role("button", name="Redo (Ctrl+Shift+Z)").click()
    assert _middle(page, "left knee") == pytest.approx(now, abs=2)


def test_mistakes_are_told_where_they_can_be_seen(visit: Visit) -> None:
    page = visit()
    open_tab(page, "Sheet")
    page.locator("#sp-make").click()
    expect(page.get_by_text("Choose at least one clip for the sheet.")).to_be_visible()


def test_calm_for_those_who_ask_for_it(visit: Visit) -> None:
    """Reduced motion: figures stand still."""
    page = visit(reduced_motion="reduce")
    open_tab(page, "Animate")
    canvas = page.locator("[data-action=run] canvas")
    expect(canvas).to_be_visible()
    page.wait_for_timeout(300)
    first = canvas.evaluate("(node) => node.toDataURL()")
    page.wait_for_timeout(400)
    assert canvas.evaluate("(node) => node.toDataURL()") == first


def _middle(page: Page, name: str) -> tuple[float, float]:
    box = page.locator(f"g.sp-dot[aria-label='{name}']").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
