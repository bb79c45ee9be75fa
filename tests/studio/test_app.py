"""Flags -> settings -> launch arguments; nothing else is in app.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import app
from studio.accounts import Accounts
from studio.settings import Settings, default_home, pick_device
from tests.conftest import REPO


def test_help_loads_neither_gradio_nor_torch() -> None:
    code = "import sys, app\ntry: app.parse(['--help'])\nfinally: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True, check=True)
    assert "--profile" in done.stdout and not {"gradio", "torch", "numpy"} & set(done.stdout.split())


def test_each_profile_listens_where_it_should(tmp_path: Path) -> None:
    def host(*flags: str) -> str:
        return app.settings_of(app.parse(["--home", str(tmp_path), *flags])).host

    assert host() == "127.0.0.1"
    assert host("--profile", "studio") == host("--profile", "space") == "0.0.0.0"
    assert host("--profile", "studio", "--host", "10.0.0.7") == "10.0.0.7"


def test_no_library_and_no_database_is_served(tmp_path: Path) -> None:
    """Field report 8."""
    settings = Settings(home=tmp_path)
    told = app.launch_arguments(settings)
    assert told["allowed_paths"] == [] and told["auth"] is None
    assert {str(settings.jobs_path), str(settings.accounts_path), str(settings.owners)} <= set(told["blocked_paths"])
    assert told["max_file_size"] == 200 * 2**20


def test_a_studio_on_a_network_asks_for_a_password(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, profile="studio")
    with pytest.raises(SystemExit, match="accounts add"):
        app.launch_arguments(settings)
    Accounts(settings.accounts_path).add("Ana", "correct horse")
    assert app.launch_arguments(settings)["auth"]("Ana", "correct horse") is True


def test_nothing_is_sent_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GRADIO_ANALYTICS_ENABLED", "GRADIO_TEMP_DIR", "HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
        monkeypatch.setenv(name, "")
    app.quieten(Settings(home=tmp_path))
    import os

    assert os.environ["GRADIO_ANALYTICS_ENABLED"] == "False" and os.environ["HF_HUB_OFFLINE"] == "1"
    assert Path(os.environ["GRADIO_TEMP_DIR"]).is_relative_to(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "")
    app.quieten(Settings(home=tmp_path, download=True))
    assert os.environ["HF_HUB_OFFLINE"] == ""


def test_home_and_devices(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SPRIGHTLY_HOME", str(tmp_path))
    assert default_home() == tmp_path
    monkeypatch.delenv("SPRIGHTLY_HOME")
    assert "sprightly" in str(default_home()).lower()
    assert Settings(home=tmp_path, device="cuda:0, cuda:1").devices == ("cuda:0", "cuda:1")
    assert Settings(home=tmp_path, device="").devices == ("auto",)
    assert pick_device("cuda:7") == "cuda:7" and pick_device("auto") in ("cpu", "cuda", "mps")
