"""The command line end to end, as a person types it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from studio import cli, flow
from studio.cli.parser import build_parser
from studio.library import Character
from studio.settings import Settings
from studio.studio import Desk, Studio
from tests.conftest import HERO

SMALL = ["--size", "48", "--frames", "2", "--steps", "1"]


@pytest.fixture
def home(studio: Studio) -> list[str]:
    return ["--home", str(studio.settings.home), "--device", "cpu"]


@pytest.fixture
def joints(tmp_path: Path) -> Path:
    """Joints beside a picture, as an artist placed them."""
    path = tmp_path / "placed.json"
    body = {"size": [48, 64], "facing": "right", "joints": {n: p[:2] if p else None for n, p in HERO.items()}}
    path.write_text(json.dumps(body), encoding="utf-8")
    return path


def test_a_picture_becomes_a_sheet(
    hero_png: Path, joints: Path, tmp_path: Path, home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out 🗡️"
    arguments = ["animate", str(hero_png), "--actions", "idle,slash", "--out", str(out), *SMALL, "--json"]
    assert cli.main([*arguments, "--engine", "aseprite,godot,gif", "--joints", str(joints), *home]) == 0
    printed = capsys.readouterr()
    result = json.loads(printed.out)
    names = {path.name for path in out.iterdir()}
    assert names == {"hero.png", "hero.json", "hero.tres", "hero_idle.gif", "hero_slash.gif", "hero.zip"}
    assert result["report"]["actions"] == {"idle": 2, "slash": 2} and result["report"]["cell"] == [48, 48]
    assert sorted(result["files"]) == sorted(str(path) for path in out.iterdir())
    with Image.open(result["pages"][0]) as page:
        assert page.getbbox() is not None
    assert "Drawing slash" in printed.err
    assert cli.main(["characters", "--json", *home]) == 0
    assert json.loads(capsys.readouterr().out) == [], "a bare picture leaves nothing in the library"


@pytest.mark.slow
def test_train_then_animate_with_the_look(
    desk: Desk, hero: Character, tmp_path: Path, home: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    flow.set_character(desk, hero.id, cell=48)
    look = tmp_path / "look"
    small = ["--preset", "quick", "--steps", "1", "--rank", "1", "--out", str(look)]
    assert cli.main(["train", "Hero", *small, "--json", *home]) == 0
    trained = json.loads(capsys.readouterr().out)
    assert trained["adapter_id"] == flow.character(desk, hero.id).adapter and "proof" in trained
    assert (look / "adapter.json").is_file()
    assert cli.main(["animate", hero.id, "--look", str(look), "--out", str(tmp_path / "o"), *SMALL, *home]) == 0
    (record,) = flow.clips(desk, hero.id)
    assert record.origin["adapter"] == flow.character(desk, hero.id).adapter != trained["adapter_id"]
    assert cli.main(["export", hero.id, "--out", str(tmp_path / "sheet"), "--engine", "frames", *home]) == 0
    assert list((tmp_path / "sheet").rglob("*.png"))
    capsys.readouterr()
    assert cli.main(["jobs", "--json", *home]) == 0
    assert [job["state"] for job in json.loads(capsys.readouterr().out)] == ["done"] * 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["animate", "nobody"], "no file and no character"),
        (["animate", "Hero", "--actions", "moonwalk"], "moonwalk"),
        (["animate", "Hero", "--energy", "7"], "0.3 to 1.6"),
        (["animate", "Hero", "--size", "1"], "16 to 2048"),
        (["animate", "Hero", "--look", "../../x"], "not in this library"),
        (["export", "Hero"], "no clips yet"),
        (["export", "Hero", "--clips", "0" * 12], "no longer in this library"),
    ],
)
def test_what_a_person_can_mend_is_exit_code_3(
    hero: Character,
    tmp_path: Path,
    home: list[str],
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    words: str,
) -> None:
    assert cli.main([*arguments, "--out", str(tmp_path / "o"), *home]) == 3
    printed = capsys.readouterr()
    assert words in printed.err and printed.out == "" and "Traceback" not in printed.err


def test_broken_pictures_are_exit_code_3(tmp_path: Path, home: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "art.png"
    broken.write_bytes(b"not a picture")
    assert cli.main(["animate", str(broken), "--out", str(tmp_path / "o"), *home]) == 3
    assert "art.png" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_missing_weights_are_exit_code_4(
    hero: Character, tmp_path: Path, home: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import pipelines.embedded.backend as embedded

    monkeypatch.setattr(embedded.EmbeddedBackend.__init__, "__defaults__", ("cpu", tmp_path / "nowhere"))
    assert cli.main(["animate", "Hero", "--out", str(tmp_path / "o"), *SMALL, *home]) == 4


@pytest.mark.parametrize("arguments", [[], ["dance"], ["animate"], ["animate", "x", "--out", "o", "--layout", "round"]])
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(arguments)
    assert stop.value.code == 2


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c_is_exit_code_5_and_keeps_what_is_finished(
    studio: Studio, desk: Desk, hero: Character, tmp_path: Path, home: list[str], environment: dict[str, str]
) -> None:
    flow.set_character(desk, hero.id, cell=48)
    command = [sys.executable, "-m", "studio", "animate", "Hero", "--actions", "idle,run,walk", "--frames", "6"]
    process = subprocess.Popen(
        [*command, "--steps", "40", "--out", str(tmp_path / "o"), *home], env=environment, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 400
    while not flow.clips(desk, hero.id):
        assert time.monotonic() < until and process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.wait(100) == 5
    (job,) = flow.jobs(desk)
    assert job.state == "cancelled" and 1 <= len(flow.clips(desk, hero.id)) < 3


def test_help_is_quick_and_names_the_exit_codes() -> None:
    """No model library may be imported to print help."""
    code = "import sys, studio.cli as c\ntry: c.main(sys.argv[1:])\nfinally: print(*sys.modules)"
    for arguments in (["--help"], ["animate", "--help"]):
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
        assert "exit codes:" in done.stdout
        heavy = {"torch", "numpy", "PIL", "gradio", "diffusers"}
        assert not heavy & set(done.stdout.split())


def test_every_command_of_the_parser_exists() -> None:
    from studio.cli.commands import COMMANDS

    help_text = build_parser().format_help()
    assert all(name in help_text for name in COMMANDS)


def test_accounts(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRIGHTLY_PASSWORD", "correct horse")
    home = ["--home", str(tmp_path)]
    assert cli.main(["accounts", "add", "Ana", *home]) == 0
    assert cli.main(["accounts", "list", "--json", *home]) == 0
    assert json.loads(capsys.readouterr().out.split("\n", 1)[1]) == ["Ana"]
    assert cli.main(["accounts", "remove", "Ben", *home]) == 3
    assert cli.main(["accounts", "add", *home]) == 3
    assert Settings(home=tmp_path).accounts_path.is_file()
    assert b"correct horse" not in Settings(home=tmp_path).accounts_path.read_bytes()
