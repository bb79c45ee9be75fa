"""The numbers of the proof, and the page that shows them."""

from __future__ import annotations

import dataclasses
import json
import re

import numpy as np
import pytest
from coloraide import Color
from PIL import Image

from lora_trainer import __main__ as command
from lora_trainer.ema import Ema, decay_at
from lora_trainer.learner import Learner
from lora_trainer.measures import distance, motion_energy, oklab, palette_distance, psnr
from lora_trainer.preview import guided, valid_frames
from lora_trainer.report import loss_curve
from lora_trainer.validation import Proof
from tests.lora_trainer.conftest import CONFIG, Finished
from tests.lora_trainer.tiny_backbone import SPEC, TinyBackend, tiny_figure, tiny_sample

PROOF = Proof("walk", distance=5.0, palette_off=0.1, palette_on=0.05, motion_off=4.0, motion_on=4.0, keys_matched=1.0)


def _block(colour: tuple[int, int, int, int], frames: int = 1) -> np.ndarray:
    out = np.zeros((frames, 8, 8, 4), np.uint8)
    out[:, 2:6, 2:6] = colour
    return out


def test_distance_counts_inside_the_silhouette_only() -> None:
    a, b = _block((100, 100, 100, 255)), _block((110, 100, 100, 255))
    assert distance(a, b) == pytest.approx(10 / 4) and distance(a, a) == 0.0
    assert distance(np.zeros_like(a), np.zeros_like(a)) == 0.0
    assert distance(a, np.zeros_like(a)) == pytest.approx((300 + 255) / 4)


def test_motion_energy_of_still_and_moving() -> None:
    moving = _block((200, 0, 0, 255), 3)
    moving[1] = 0
    assert motion_energy(_block((200, 0, 0, 255), 3)) == 0.0 and motion_energy(moving[:1]) == 0.0
    assert motion_energy(moving) == pytest.approx((200 + 255) / 4)


def test_psnr() -> None:
    a, b = _block((100, 100, 100, 255)), _block((110, 110, 110, 255))
    assert psnr(a, a) == 100.0
    assert psnr(a, b) == pytest.approx(10 * np.log10(255**2 / (100 * 3 / 4 * 16 / 64)), abs=1e-4)


@pytest.mark.parametrize("rgb", [(0, 0, 0), (255, 255, 255), (255, 0, 0), (12, 200, 90), (40, 41, 222)])
def test_oklab_agrees_with_coloraide(rgb) -> None:
    reference = Color("srgb", [value / 255 for value in rgb]).convert("oklab").coords()
    assert np.allclose(oklab(np.array(rgb, np.uint8)), reference, atol=2e-4)


def test_palette_distance_sees_foreign_and_lost_colours() -> None:
    art = _block((200, 30, 30, 255))
    two = art.copy()
    two[:, 2:4, 2:6] = (30, 30, 200, 255)
    assert palette_distance(art[0], art) == 0.0
    assert (
        palette_distance(art[0], two) == pytest.approx(palette_distance(two[0], art))
        and palette_distance(art[0], two) > 0.1
    )
    assert palette_distance(art[0], np.zeros_like(art)) == 1.0


def test_warnings_of_the_proof() -> None:
    """Field reports 12 and 13: never hidden."""
    assert PROOF.warnings() == []
    assert (
        dataclasses.replace(PROOF, distance=0.1)
        .warnings()[0]
        .startswith("No effect: with the look on, walk differs by 0.10")
    )
    assert dataclasses.replace(PROOF, distance=0.11).warnings() == []
    assert (
        dataclasses.replace(PROOF, motion_on=1.99)
        .warnings()[0]
        .startswith("Static: with the look on, walk keeps only 50 %")
    )
    assert dataclasses.replace(PROOF, motion_on=2.0).warnings() == []
    assert dataclasses.replace(PROOF, motion_off=0.0, motion_on=0.0).warnings() == []
    assert "75 %" in dataclasses.replace(PROOF, keys_matched=0.75).warnings()[0]


def test_keys_matched_notices_a_file_that_lacks_one(tmp_path) -> None:
    """Field report 12: weights that are saved under names that nobody reads."""
    from safetensors.torch import load_file, save_file

    learner = Learner(CONFIG, TinyBackend().trainable(4, 0))
    before = [parameter.detach().clone() for parameter in learner.parameters]
    learner.save_adapter(tmp_path)
    assert learner.keys_matched(tmp_path) == 1.0
    path = tmp_path / "pytorch_lora_weights.safetensors"
    weights = load_file(path)
    weights.pop(sorted(weights)[0])
    save_file(weights, path)
    assert learner.keys_matched(tmp_path) == 0.75
    assert all((now == then).all() for now, then in zip(learner.parameters, before, strict=True))


def test_the_mean_follows_and_gives_the_weights_back() -> None:
    import torch

    weight = torch.nn.Parameter(torch.zeros(2))
    ema = Ema.of([weight], 0.9)
    with torch.no_grad():
        weight.fill_(1.0)
    ema.update([weight], 0)
    assert decay_at(0, 0.9) == 0.1 and decay_at(10_000, 0.9) == 0.9
    assert torch.allclose(ema.mean[0], torch.full((2,), 0.9))
    with pytest.raises(RuntimeError), ema.in_place([weight]):
        assert torch.allclose(weight, torch.full((2,), 0.9))
        raise RuntimeError
    assert torch.equal(weight.detach(), torch.ones(2))


@pytest.mark.parametrize(
    ("rule", "most", "wanted", "gives"),
    [
        ((1, 0), 64, 8, 8),
        ((4, 1), 81, 8, 5),
        ((4, 1), 81, 9, 9),
        ((8, 1), 81, 8, 1),
        ((16, 0), 64, 8, 16),
        ((1, 0), 6, 8, 6),
    ],
)
def test_previews_have_a_frame_count_that_the_model_takes(rule, most, wanted, gives) -> None:
    assert valid_frames(wanted, dataclasses.replace(SPEC, frame_rule=rule, max_frames=most)) == gives


def test_the_preview_takes_the_size_nearest_to_128() -> None:
    spec = dataclasses.replace(SPEC, sizes=(64, 144, 512))
    assert guided("walk", tiny_figure(), spec).size == 144


def test_the_report_is_one_page_with_everything(finished: Finished) -> None:
    page = (finished.folder / "report.html").read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="(?!data:)', page)  # nothing lies outside the page
    assert page.count("<img") == 2 + 2 + 2  # off, on, two previews, two samples
    assert page.count("<polyline") == 2 and "100 %" in page and "held out" not in page
    about = json.loads((finished.folder / "manifest.json").read_text())
    assert about["run"] in page and about["config"] == CONFIG.to_json()
    assert [sample["frames"] for sample in about["samples"]] == [1, 17]
    assert about["made_with"]["torch"] and about["base"] == "tiny-0"


def test_the_report_escapes_what_artists_type(tmp_path) -> None:
    from lora_trainer.trainer import train

    config = dataclasses.replace(CONFIG, steps=1, preview_every=0)
    sample = dataclasses.replace(tiny_sample(4, "<script>alert(1)</script>"))
    list(train(config, tiny_figure(), [sample], TinyBackend(), tmp_path, trigger="<b>knight</b>"))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page and "<b>knight" not in page and "&lt;b&gt;knight" in page


def test_the_loss_curve_starts_at_zero_and_holds_every_step() -> None:
    losses = [1.0, 0.5, 0.25, 0.125]
    first = re.findall(r'points="([^"]+)"', loss_curve(losses))[0].split(" ")
    heights = [float(point.split(",")[1]) for point in first]
    assert len(first) == 4 and heights == sorted(heights)
    assert heights[0] == 16.0 and heights[1] == pytest.approx((16 + 154) / 2)
    assert "points" in loss_curve([0.0])


def _art(folder) -> tuple[str, str]:
    figure = tiny_figure()
    Image.fromarray(figure.art.repeat(8, axis=0).repeat(8, axis=1)).save(folder / "hero.png")
    from pipelines.pose.skeleton import JOINTS

    placed = {
        name: [float(x) * 8, float(y) * 8] if c else None for name, (x, y, c) in zip(JOINTS, figure.joints, strict=True)
    }
    (folder / "hero.json").write_text(json.dumps({"size": [256, 256], "joints": placed, "facing": "left"}))
    return str(folder / "hero.png"), str(folder / "hero.json")


def test_the_command_line_says_what_is_wrong(tmp_path, capsys) -> None:
    art, joints = _art(tmp_path)
    assert command.main([str(tmp_path / "none.png"), "--out", str(tmp_path / "out")]) == 3
    assert "none.png is not a picture that can be read" in capsys.readouterr().err
    assert command.main([art, "--out", str(tmp_path / "out"), "--joints", joints, "--steps", "0"]) == 3
    assert "The steps goes from 1" in capsys.readouterr().err
    (tmp_path / "bad.json").write_text('{"joints": {"tail": [1, 2]}}')
    assert command.main([art, "--out", str(tmp_path / "out"), "--joints", str(tmp_path / "bad.json")]) == 3
    assert "no joint is called 'tail'" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        command.main([art])
    assert caught.value.code == 2
