"""The running page, photographed for docs/."""

from __future__ import annotations

import io
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pictures_layout import saved
from PIL import Image

REPO = Path(__file__).resolve().parents[1]
TABS = ("Character", "Samples", "Train", "Animate", "Sheet", "Jobs")


def photograph(home: Path, out: Path) -> None:
    """Each tab at 1280 x 800 with the first character open; nothing where there is no Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("page: left out, playwright is not installed")
        return
    named = os.environ.get("SPRIGHTLY_CHROMIUM")
    found = [named, *map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))]
    with served(home) as url, sync_playwright() as playwright:
        path = next(filter(None, found), None)
        if path is None and not Path(playwright.chromium.executable_path).is_file():
            print("page: left out, no Chromium here; install one, or name it in SPRIGHTLY_CHROMIUM")
            return
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        shown = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="dark")
        shown.set_default_timeout(120_000)
        shown.goto(url)
        shown.locator("#sp-switcher strong").filter(has_text="Knight").wait_for()
        shown.locator("g.sp-dot").first.wait_for()
        for name in TABS:
            shown.get_by_role("tab", name=name, exact=True).click()
            # Players fetch their strips and begin to move.
            shown.wait_for_timeout(4000)
            saved(out / f"page-{name.lower()}", Image.open(io.BytesIO(shown.screenshot())))
        browser.close()


@contextmanager
def served(home: Path) -> Iterator[str]:
    """The app in its own process on a free port; its address once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "app.py", "--home", str(home), "--port", str(port), "--device", "cpu"]
    process = subprocess.Popen(command, cwd=REPO, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url, end = f"http://127.0.0.1:{port}/", time.monotonic() + 180
    try:
        while True:
            try:
                urllib.request.urlopen(url, timeout=5).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.3)
        yield url
    finally:
        process.terminate()
        process.wait(20)
