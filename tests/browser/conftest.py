"""The real app in its own process with its real worker, and a headless Chromium in front of it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from studio.settings import Settings
from studio.studio import Desk, Studio
from tests.conftest import REPO

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

PATIENCE = 180.0
"""Seconds until a test gives up on the app or on a job, on a slow and busy machine."""
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@dataclass(frozen=True)
class App:
    """A running studio."""

    url: str
    home: Path

    def desk(self) -> Desk:
        """The same library and jobs, as the test reads them."""
        return Studio(Settings(home=self.home, device="cpu")).desk()


def _chromium() -> str | None:
    """The browser: SPRIGHTLY_CHROMIUM, one on the PATH, or playwright's own (None)."""
    named = os.environ.get("SPRIGHTLY_CHROMIUM")
    found = [named, *(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome", "chrome"))]
    return next((path for path in found if path), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[sync_api.Browser]:
    with sync_api.sync_playwright() as playwright:
        path = _chromium()
        if path is None and not Path(playwright.chromium.executable_path).is_file():
            missing = "no Chromium here: install one, or name it in SPRIGHTLY_CHROMIUM"
            (pytest.fail if os.environ.get("SPRIGHTLY_REQUIRE_BROWSER") else pytest.skip)(missing)
        sync_api.expect.set_options(timeout=60_000)
        opened = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield opened
        opened.close()


def start(home: Path, *flags: str) -> tuple[subprocess.Popen[bytes], str]:
    """`python app.py` on a free port; returns once the page answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "app.py", "--home", str(home), "--port", str(port), "--device", "cpu", *flags]
    quiet = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    home.mkdir(parents=True, exist_ok=True)
    with (home / "app.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=REPO, env=quiet, stdout=log, stderr=subprocess.STDOUT)
    url, end = f"http://127.0.0.1:{port}/", time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return process, url
        except OSError:
            time.sleep(0.3)
    process.kill()
    raise AssertionError((home / "app.log").read_text(errors="replace")[-3000:])


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """The app with the example characters in its library, one for all tests of a module."""
    home = tmp_path_factory.mktemp("app") / "home"
    process, url = start(home)
    try:
        yield App(url, home)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


Visit = Callable[..., sync_api.Page]


@pytest.fixture
def visit(browser: sync_api.Browser, app: App) -> Iterator[Visit]:
    """Opens the page in a fresh browser profile; fails the test on any script error."""
    contexts, broken = [], []

    def open_page(width: int = 1280, height: int = 800, **options: object) -> sync_api.Page:
        context = browser.new_context(viewport={"width": width, "height": height}, accept_downloads=True, **options)
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: broken.append(str(error)))
        page.goto(app.url)
        sync_api.expect(page.locator("#sp-switcher strong")).not_to_be_empty()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert broken == []


def open_tab(page: sync_api.Page, name: str) -> None:
    """Clicks a tab and waits until it is the open one."""
    tab = page.get_by_role("tab", name=name, exact=True)
    tab.click()
    sync_api.expect(tab).to_have_attribute("aria-selected", "true")
