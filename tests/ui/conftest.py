"""The page served for real, and a client that talks to it as a script would."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import gradio as gr
import pytest
import uvicorn
from fastapi import FastAPI
from gradio_client import Client

from studio.settings import Settings
from studio.studio import Studio
from studio.ui.app import build_app
from studio.ui.theme import launch_options


@pytest.fixture(autouse=True)
def gradio_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gradio keeps its files in the test's folder and calls nobody."""
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("GRADIO_ANALYTICS_ENABLED", "False")
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Studio, str]]:
    """A studio without examples and the address of its page; one for all tests of a module, since starting is slow."""
    home = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADIO_TEMP_DIR", str(home / "cache"))
        patch.setenv("GRADIO_ANALYTICS_ENABLED", "False")
        studio = Studio(Settings(home=home / "home", device="cpu", examples=False))
        options = {name: value for name, value in launch_options().items() if name in ("theme", "css", "head")}
        blocked = [str(studio.settings.owners)]
        mounted = gr.mount_gradio_app(FastAPI(), build_app(studio), "/", blocked_paths=blocked, **options)
        # Not `launch`: it gives up on a machine that is too busy to answer within seconds.
        server = uvicorn.Server(uvicorn.Config(mounted, port=0, log_level="warning"))
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        yield studio, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
        server.should_exit = server.force_exit = True
        thread.join(10)


@pytest.fixture(scope="module")
def client(served: tuple[Studio, str]) -> Client:
    return Client(served[1], verbose=False, httpx_kwargs={"timeout": 120})
