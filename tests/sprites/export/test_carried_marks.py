"""Every format that can hold hitboxes, points and events brings them to the game."""

import json

import jsonschema
import numpy as np
import pytest
from godot_parser import parse as parse_godot

from studio.sprites.export.registry import EXPORTERS
from studio.sprites.marks import Marks
from studio.sprites.sheet import Action, Sheet, build_sheet
from studio.sprites.trim import Box

from ..figures import orbit
from . import engine_readers, readers

BLADE = Box(30, 10, 12, 4)
TIP = (41.5, 12.0)
MARKS = Marks(
    {"body": (Box(9, 8, 20, 30), Box(9, 8, 20, 30), Box(11, 8, 20, 30)), "blade": (None, BLADE, None)},
    {"weapon tip": (None, TIP, (3.0, 4.0))},
    {"footstep": (0, 2), "impact": (2,)},
)


@pytest.fixture
def sheet() -> Sheet:
    """An action without marks first, so that frame numbers of the file and of the action differ."""
    idle = Action("idle", orbit(2, 9), (80, 80), True, (24, 40), Marks())
    return build_sheet([idle, Action("slash", orbit(3, 5), (80, 80, 80), False, (24, 40), MARKS)])


def test_aseprite(sheet, tmp_path):
    data = json.loads(EXPORTERS["aseprite"].write(sheet, tmp_path, "hero")[-1].read_text())
    jsonschema.validate(data, readers.ASEPRITE)
    slices = {s["name"]: s for s in data["meta"]["slices"]}

    def seen(name, frame):
        return [key for key in slices[name]["keys"] if key["frame"] <= frame][-1:]

    assert not seen("body", 1) and not seen("blade", 2) and slices["body"]["data"] == "hitbox"
    assert [seen("body", n)[0]["bounds"]["x"] for n in (2, 3, 4)] == [9, 9, 11] and len(slices["body"]["keys"]) == 2
    assert seen("blade", 3)[0]["bounds"] == {"x": 30, "y": 10, "w": 12, "h": 4}
    assert seen("blade", 4)[0]["bounds"]["w"] == 0  # gone again
    tip = seen("weapon tip", 3)[0]
    assert (tip["bounds"]["x"] + tip["pivot"]["x"], tip["bounds"]["y"] + tip["pivot"]["y"]) == TIP
    cels = data["meta"]["layers"][0]["cels"]
    assert cels == [{"frame": 2, "data": "footstep"}, {"frame": 4, "data": "footstep,impact"}]


def test_texturepacker_lua_and_gamemaker_say_the_same(sheet, tmp_path):
    paths = {key: EXPORTERS[key].write(sheet, tmp_path, "hero")[-1] for key in ("texturepacker", "love", "gamemaker")}
    frames = json.loads(paths["texturepacker"].read_text())["frames"]
    lua = engine_readers.lua(paths["love"])["animations"]["slash"]["frames"]
    strip = json.loads(paths["gamemaker"].read_text())["sprites"]["slash"]["marks"]
    for n in range(3):
        key = f"slash_{n:02d}"
        expected = {
            "hitboxes": {k: vars(row[n]) for k, row in MARKS.boxes.items() if row[n]},
            "points": {k: {"x": row[n][0], "y": row[n][1]} for k, row in MARKS.points.items() if row[n]},
            "events": [k for k, at in MARKS.events.items() if n in at],
        }
        for found in (frames[key], lua[n], strip[n]):
            assert {kind: found.get(kind, type(value)()) for kind, value in expected.items()} == expected
    assert "hitboxes" not in frames["idle_00"]


def test_godot(sheet, tmp_path):
    text = EXPORTERS["godot"].write(sheet, tmp_path, "hero")[-1].read_text().replace('&"', '"')
    (resource,) = [s for s in parse_godot(text).get_sections() if s.header.name == "resource"]
    boxes, points = resource["metadata/hitboxes"], resource["metadata/points"]
    assert boxes["idle"] == [{}, {}] and list(boxes["slash"][1]) == ["body", "blade"]
    assert list(boxes["slash"][1]["blade"].args) == [30, 10, 12, 4]
    assert np.allclose(points["slash"][1]["weapon tip"].args, TIP)
    assert resource["metadata/events"]["slash"] == [["footstep"], [], ["footstep", "impact"]]


def test_libgdx_counts_from_below_in_whole_pixels(sheet, tmp_path):
    regions = engine_readers.gdx(EXPORTERS["libgdx"].write(sheet, tmp_path, "hero")[-1])
    values = [v for _, v in regions["slash"]]
    assert values[1]["box_blade"] == (30, 48 - 14, 12, 4) and "box_blade" not in values[0]
    assert values[1]["point_weapon_tip"] == (42, 36)
    assert ["event_impact" in v for v in values] == [False, False, True]
    assert not [key for key in regions["idle"][0][1] if key.startswith(("box_", "point_", "event_"))]
