"""The real Phaser and Pixi play our packs in a real browser, and what they draw is the frame, to the pixel.

They come from npm: ``npm install phaser@3 pixi.js@8`` anywhere, and SPRIGHTLY_NODE_MODULES names its node_modules.
SPRIGHTLY_SCREENSHOTS names a folder in which to leave pictures of the character walking.
"""

import base64
import json
import os
import shutil
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from studio.sprites.export.registry import EXPORTERS
from studio.sprites.sheet import Action, build_sheet

from ..figures import swinger
from ..test_golden import pixel_hero

MODULES = Path(os.environ.get("SPRIGHTLY_NODE_MODULES", Path(__file__).parents[3] / "node_modules"))
PAGES = Path(__file__).parents[1] / "engines"
LIBRARIES = {"phaser": MODULES / "phaser/dist/phaser.min.js", "pixi": MODULES / "pixi.js/dist/pixi.min.js"}
WIDTH, HEIGHT, FLOOR = 320, 160, 150
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not all(map(Path.is_file, LIBRARIES.values())), reason="Phaser and Pixi are not installed"),
]


def clips() -> list[Action]:
    """Trimmed frames of different sizes, uneven times, a pivot that is not the middle."""
    tile = np.stack([np.kron(pixel_hero(step, 7), np.ones((4, 4, 1), np.uint8)) for step in (0, 1, 2, 1)])
    canvas = np.zeros((4, 128, 128, 4), np.uint8)
    canvas[:, 50:114, 30:94] = tile
    return [
        Action("walk", canvas, (83, 84, 83, 250), True, (62.0, 110.0)),
        Action("swing", swinger(5), (80, 60, 40, 60, 80), False, (62.0, 110.0)),
    ]


@pytest.fixture(scope="module")
def page_of(tmp_path_factory):
    """Opens the page of an engine with the pack of `clips` beside it."""
    playwright = pytest.importorskip("playwright.sync_api")
    folder = tmp_path_factory.mktemp("pack")
    sheet = build_sheet(clips())
    for key in ("aseprite", "texturepacker"):
        EXPORTERS[key].write(sheet, folder, "hero")
    path = os.environ.get("SPRIGHTLY_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with playwright.sync_playwright() as running:
        if path is None and not Path(running.chromium.executable_path).is_file():
            pytest.skip("no Chromium here")
        browser = running.chromium.launch(executable_path=path, args=FLAGS)

        def opened(engine: str):
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            files = {f"{name}.min.js": file for name, file in LIBRARIES.items()}
            files |= {file.name: file for file in [*folder.iterdir(), *PAGES.iterdir()]}

            def serve(route):
                file = files.get(route.request.url.rsplit("/", 1)[-1])
                route.fulfill(path=file) if file else route.fulfill(status=404)

            page.route("**/*", serve)
            errors: list[str] = []
            page.on("pageerror", lambda error: errors.append(str(error)))
            given = {"WIDTH": WIDTH, "HEIGHT": HEIGHT, "FLOOR": FLOOR, "COUNT": 4, "PIVOT": [62 / 128, 110 / 128]}
            page.add_init_script(f"Object.assign(window, {json.dumps(given)})")
            page.goto(f"http://pack.test/{engine}.html")
            assert page.evaluate("window.ready") and not errors, errors
            return page

        yield opened
        browser.close()


def drawn(page, action: str, frame: int) -> np.ndarray:
    url = page.evaluate(f"show({action!r}, {frame})")
    with Image.open(BytesIO(base64.b64decode(url.split(",")[1]))) as picture:
        return np.array(picture.convert("RGBA"))


def expected(frame: np.ndarray, at: int) -> np.ndarray:
    """The frame with its pivot on the floor at `at`."""
    out = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    x, y = at - 62, FLOOR - 110
    out[y : y + 128, x : x + 128] = frame[: HEIGHT - y]
    return out[:, : WIDTH // 2] if at < WIDTH // 2 else out[:, WIDTH // 2 :]


def shot(page, name: str) -> None:
    folder = os.environ.get("SPRIGHTLY_SCREENSHOTS")
    if folder:
        page.evaluate("document.body.style.background = '#3a4656'")
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


def test_phaser(page_of):
    """Aseprite JSON on the left, TexturePacker JSON on the right: same place, same pixels, same times (rows 26, 27)."""
    page = page_of("phaser")
    for clip in clips():
        for n, frame in enumerate(clip.frames):
            pixels = drawn(page, clip.name, n)
            assert np.array_equal(pixels[:, : WIDTH // 2], expected(frame, WIDTH // 4)), (clip.name, n)
            assert np.array_equal(pixels[:, WIDTH // 2 :], expected(frame, 3 * WIDTH // 4)), (clip.name, n)
        times = page.evaluate(f"times({clip.name!r})")
        assert tuple(round(time) for time in times) == clip.durations_ms
    assert page.evaluate("custom('swing_02')")["hitboxes"]["body"]["w"] > 10
    page.evaluate("walk()")
    seen = set()
    for n in range(4):
        page.wait_for_timeout(150)
        state = page.evaluate("state()")
        seen.add(state["ase"])
        shot(page, f"phaser-{n}")
    assert state["playing"] and len(seen) > 1
    assert np.allclose(state["origin"], (62 / 128, 110 / 128))  # the pivot came with the file


def test_pixi(page_of):
    """Pixi takes frames, animations, anchors and times from TexturePacker JSON alone."""
    page = page_of("pixi")
    for clip in clips():
        for n, frame in enumerate(clip.frames):
            pixels = drawn(page, clip.name, n)
            assert np.array_equal(pixels[:, : WIDTH // 2], expected(frame, WIDTH // 4)), (clip.name, n)
    page.evaluate("walk()")
    seen = set()
    for n in range(4):
        page.wait_for_timeout(150)
        state = page.evaluate("state()")
        seen.add(state["frame"])
        shot(page, f"pixi-{n}")
    assert state["playing"] and len(seen) > 1
