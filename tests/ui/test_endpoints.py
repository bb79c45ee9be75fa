"""The page as an interface: which endpoints there are, and what they answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError

from studio import flow
from studio.library import Character
from studio.studio import Desk, Studio
from tests.conftest import add_hero

PUBLIC = {
    "/add_samples",
    "/animate",
    "/characters",
    "/clips",
    "/export",
    "/job",
    "/new_character",
    "/open_character",
    "/recut",
    "/set_character",
    "/train",
    "/use_look",
}


@pytest.fixture
def desk(served: tuple[Studio, str]) -> Desk:
    return served[0].desk()


@pytest.fixture
def hero(desk: Desk, hero_png: Path) -> Character:
    return add_hero(desk, hero_png)


def test_exactly_these_endpoints_are_public(client: Client) -> None:
    """Plumbing that shows up here would be a promise to scripts that nobody meant to give."""
    told = client.view_api(return_format="dict", print_info=False)
    assert isinstance(told, dict)
    assert set(told["named_endpoints"]) == PUBLIC and not told["unnamed_endpoints"]


def test_a_picture_becomes_a_character(client: Client, hero_png: Path, desk: Desk) -> None:
    made = _created(client.predict(handle_file(str(hero_png)), api_name="/new_character"))
    assert made["id"] in [who["id"] for who in client.predict(api_name="/characters")]
    assert flow.character(desk, made["id"]).pixel_art


def test_settings_of_the_open_character(client: Client, hero: Character, desk: Desk) -> None:
    client.predict(hero.id, api_name="/open_character")
    client.predict(
        name="Ada",
        facing="left",
        about="a blue hero",
        weapon="spear",
        cell=96,
        pixel_art=True,
        api_name="/set_character",
    )
    now = flow.character(desk, hero.id)
    assert (now.name, now.facing, now.about, now.weapon, now.cell) == ("Ada", "left", "a blue hero", "spear", 96)


def test_animate_answers_at_once_with_a_job(client: Client, hero: Character, desk: Desk) -> None:
    client.predict(hero.id, api_name="/open_character")
    answer = client.predict(
        actions={"picked": ["walk", "jump"]}, frames=6, fps=0, energy=1.0, guidance="library", file=None,
        strength=1.0, look=1.0, seed=7, steps=4, api_name="/animate",
    )  # fmt: skip
    job = flow.job(desk, _first(answer))
    assert [order["action"] for order in job.payload["orders"]] == ["walk", "jump"]
    assert {(order["frames"], order["fps"], order["seed"]) for order in job.payload["orders"]} == {(6, None, 7)}
    told = client.predict(job.id, api_name="/job")
    assert told["state"] == "queued" and told["percent"] == 0


def test_train_takes_what_the_page_shows(client: Client, hero: Character, desk: Desk) -> None:
    client.predict(hero.id, api_name="/open_character")
    answer = client.predict(
        preset={"picked": "quick"}, steps=33, rank=4, learning_rate=2e-3, still_share=0.25, prior_share=0.5, seed=9,
        api_name="/train",
    )  # fmt: skip
    config = flow.job(desk, _first(answer)).payload["config"]
    wanted = {"steps": 33, "rank": 4, "learning_rate": 2e-3, "still_share": 0.25, "prior_share": 0.5, "seed": 9}
    assert {name: config[name] for name in wanted} == wanted


def test_a_mistake_of_the_artist_arrives_as_written(client: Client, hero: Character) -> None:
    client.predict(hero.id, api_name="/open_character")
    with pytest.raises(AppError, match="16 to 2048 pixels wide; got 9"):
        client.predict(
            name="Ada", facing="right", about="", weapon="", cell=9, pixel_art=True, api_name="/set_character"
        )
    with pytest.raises(AppError, match="at least one action"):
        client.predict(actions={"picked": []}, file=None, api_name="/animate")
    with pytest.raises(AppError, match="not in your list"):
        client.predict("nobody's", api_name="/job")


def test_a_bug_tells_nothing_of_the_inside(
    client: Client, hero: Character, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret path C:/inside")

    monkeypatch.setattr(flow, "clips", broken)
    with pytest.raises(AppError) as caught:
        client.predict(hero.id, api_name="/clips")
    assert "secret" not in str(caught.value) and "not because of you" in str(caught.value)
    assert "secret path" in caplog.text


def test_hostile_names_never_become_paths(client: Client, served: tuple[Studio, str]) -> None:
    for name in ("../../etc", "..\\x", "a\0b", "", "x" * 300):
        with pytest.raises(AppError):
            client.predict(name, api_name="/clips")
    assert not any(served[0].settings.home.parent.glob("etc*"))


def _first(answer: object) -> str:
    """The job id, first of what the event fills."""
    return str(answer[0] if isinstance(answer, (list, tuple)) else answer)


def _created(answer: object) -> dict[str, str]:
    found = answer if isinstance(answer, dict) else next(part for part in answer if isinstance(part, dict))  # type: ignore[attr-defined]
    assert {"id", "name", "note"} <= set(found)
    return found
