"""Learned cut-outs: a real rembg session on a model of a few bytes, and what is said without weights."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from pipelines.errors import MissingWeightsError
from pipelines.matting import MODELS, available_models, cut_out

from .drawn import busy, hero, over, overlap


def field(number: int, value: int | bytes | str) -> bytes:
    """One protobuf field: a varint or a length-delimited block."""
    if isinstance(value, int):
        return bytes([number << 3]) + varint(value)
    raw = value.encode() if isinstance(value, str) else value
    return bytes([number << 3 | 2]) + varint(len(raw)) + raw


def varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def tensor_info(name: str, shape: tuple[int, ...]) -> bytes:
    dims = b"".join(field(1, field(1, size)) for size in shape)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, dims)))


def red_network(side: int) -> bytes:
    """An ONNX file (1, 3, S, S) -> (1, 1, S, S) that weighs the channels: red minus green, a 1 x 1 convolution."""
    weights = struct.pack("<3f", 1.0, -1.0, 0.0)
    initial = b"".join(field(1, size) for size in (1, 3, 1, 1)) + field(2, 1) + field(8, "w") + field(9, weights)
    node = field(1, "x") + field(1, "w") + field(2, "y") + field(4, "Conv")
    graph = field(1, node) + field(2, "g") + field(5, initial)
    graph += field(11, tensor_info("x", (1, 3, side, side))) + field(12, tensor_info("y", (1, 1, side, side)))
    return field(1, 8) + field(8, field(1, "") + field(2, 13)) + field(7, graph)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("U2NET_HOME", str(tmp_path))
    return tmp_path


def test_without_weights_the_error_says_what_to_fetch(home: Path) -> None:
    assert available_models() == []
    for name, model in MODELS.items():
        with pytest.raises(MissingWeightsError) as caught:
            cut_out(over(hero(), busy()), name)
        text = str(caught.value)
        assert model.remote in text and f"{model.megabytes} MB" in text and str(home / model.file) in text
    assert list(home.iterdir()) == []


def test_a_model_on_disk_is_offered_and_used(home: Path) -> None:
    """Field report 19: the body is solid."""
    (home / "u2netp.onnx").write_bytes(red_network(320))
    assert [model.name for model in available_models()] == ["u2netp"]
    art = hero(hand_on_hip=False)
    solid = art[..., 3] == 255
    art[solid, :3] = (230, 20, 30)
    cutout = cut_out(over(art, (30, 90, 60)), "u2netp")
    assert cutout.method == "u2netp" and "U2-Net small" in cutout.note
    assert overlap(cutout.art[..., 3], art[..., 3]) > 0.95
    assert (cutout.art[..., 3][solid] == 255).mean() > 0.98


def test_rembg_looks_where_we_look(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from rembg.sessions import sessions

    from pipelines.matting.models import homes

    monkeypatch.delenv("U2NET_HOME", raising=False)
    monkeypatch.delenv("REMBG_HOME", raising=False)
    for data in (None, str(tmp_path)):
        if data:
            monkeypatch.setenv("XDG_DATA_HOME", data)
        else:
            monkeypatch.delenv("XDG_DATA_HOME", raising=False)
        for name, model in MODELS.items():
            theirs = [Path(sessions[name].model_dir()), Path(sessions[name].legacy_home())]
            assert homes(name) == theirs
            assert model.file == f"{name}.onnx"
