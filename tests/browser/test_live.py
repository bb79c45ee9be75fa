"""Play in the browser: keys move the character, and nothing else of the page does."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, WebSocketRoute, expect

from studio import flow

from .conftest import PATIENCE, App, Visit, open_tab

pytestmark = pytest.mark.browser
STAGE = ".sp-live-stage"


def begin(page: Page) -> None:
    """Opens the Live tab and plays."""
    open_tab(page, "Live")
    page.get_by_role("button", name="Click to play").click()
    expect(page.locator(STAGE)).to_have_attribute("data-status", "playing", timeout=PATIENCE * 1000)
    doing(page, "idle")


def doing(page: Page, state: str) -> None:
    expect(page.locator(STAGE)).to_have_attribute("data-state", state)


def at(page: Page) -> float:
    return float(page.locator(STAGE).get_attribute("data-x") or "nan")


def test_hold_d_walks_right_release_idles_space_jumps(visit: Visit) -> None:
    page = visit()
    begin(page)
    before = at(page)
    page.keyboard.down("KeyD")
    doing(page, "walk")
    expect(page.get_by_role("button", name="right", exact=True)).to_have_class("sp-cap is-held")
    page.wait_for_timeout(800)
    page.keyboard.up("KeyD")
    doing(page, "idle")
    assert at(page) > before + 0.1
    page.keyboard.down("Space")
    page.wait_for_function(f"['jump', 'fall'].includes(document.querySelector('{STAGE}').dataset.state)")
    page.keyboard.up("Space")
    doing(page, "idle")


def test_blur_lets_go_and_typing_is_left_alone(visit: Visit) -> None:
    page = visit()
    begin(page)
    page.keyboard.down("KeyD")
    doing(page, "walk")
    page.keyboard.press("Escape")
    doing(page, "idle")
    rest = at(page)
    page.keyboard.down("KeyD")
    page.wait_for_timeout(600)
    assert at(page) == rest, "without focus nothing is captured"
    page.keyboard.up("KeyD")
    open_tab(page, "Character")
    box = page.get_by_role("textbox", name="What it looks like")
    before = box.input_value()
    box.press("End")
    page.keyboard.type(" wasd j")
    expect(box).to_have_value(before + " wasd j")
    box.fill(before)


def test_a_key_of_ones_own(visit: Visit) -> None:
    page = visit()
    begin(page)
    page.locator(".sp-map button").nth(3).click()
    page.keyboard.press("KeyL")
    page.locator(STAGE).focus()
    page.keyboard.down("KeyL")
    doing(page, "walk")
    page.keyboard.up("KeyL")
    page.get_by_role("button", name="Usual keys").click()
    page.locator(STAGE).focus()
    page.keyboard.down("KeyD")
    doing(page, "walk")
    page.keyboard.up("KeyD")


def test_two_browsers_play_two_characters(visit: Visit, app: App) -> None:
    one, two = visit(), visit()
    names = [who.name for who in flow.characters(app.desk())]
    two.locator("#sp-switcher").click()
    two.get_by_role("menuitemradio", name="Robot").click()
    expect(two.locator("#sp-switcher strong")).to_have_text("Robot")
    assert {"Knight", "Robot"} <= set(names)
    begin(one)
    begin(two)
    one.keyboard.down("KeyD")
    two.keyboard.down("KeyA")
    doing(one, "walk")
    doing(two, "walk")
    expect(one.locator(STAGE)).to_have_attribute("data-side", "1")
    expect(two.locator(STAGE)).to_have_attribute("data-side", "-1")
    expect(one.locator(STAGE)).to_have_attribute("aria-label", "Play Knight")
    expect(two.locator(STAGE)).to_have_attribute("aria-label", "Play Robot")
    one.keyboard.up("KeyD")
    doing(one, "idle")
    doing(two, "walk")
    two.keyboard.up("KeyA")


def test_a_killed_socket_comes_back(visit: Visit) -> None:
    page = visit()
    sockets: list[WebSocketRoute] = []

    def pass_on(route: WebSocketRoute) -> None:
        sockets.append(route)
        route.connect_to_server()

    page.route_web_socket("**/live/ws*", pass_on)
    begin(page)
    sockets[0].close(code=1012, reason="killed by the test")
    expect(page.locator(STAGE)).to_have_attribute("data-status", "playing", timeout=PATIENCE * 1000)
    page.wait_for_function("() => true")
    for _ in range(200):
        if len(sockets) > 1:
            break
        page.wait_for_timeout(50)
    assert len(sockets) > 1
    page.locator(STAGE).focus()
    page.keyboard.down("KeyD")
    doing(page, "walk")
    page.keyboard.up("KeyD")


def test_a_picture_of_ones_own_is_the_scene_and_the_ground_is_dragged(visit: Visit, tmp_path: object) -> None:
    page = visit()
    begin(page)
    picture = tmp_path / "village.png"  # type: ignore[operator]
    Image.fromarray(np.full((60, 90, 3), (10, 200, 30), np.uint8)).save(picture)
    page.locator(".sp-live input[type=file]").set_input_files(str(picture))
    corner = "(node) => [...node.getContext('2d').getImageData(3, 3, 1, 1).data]"
    canvas = page.locator(f"{STAGE} canvas")
    page.wait_for_timeout(500)
    assert canvas.evaluate(corner) == [10, 200, 30, 255]
    line = page.locator(".sp-live-line")
    box = line.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] - 80, steps=4)
    page.mouse.up()
    now = line.bounding_box()
    assert now is not None and now["y"] == pytest.approx(box["y"] - 87, abs=4)
