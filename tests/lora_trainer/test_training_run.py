"""The loop as a whole: what it yields, what it leaves on disk, how it stops."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import load_file

from lora_trainer.trainer import split, train
from pipelines.adapter import Adapter
from pipelines.cancel import CancelToken
from pipelines.errors import Cancelled, RequestError, TrainingError
from pipelines.events import Checkpoint, Done, Preview, Step, Warning, to_json
from tests.lora_trainer.conftest import CONFIG, Finished
from tests.lora_trainer.tiny_backbone import SPEC, TinyBackend, tiny_figure, tiny_sample


def _after(steps: int) -> tuple[CancelToken, list[int]]:
    """A token that sets once `steps` has been counted up to by the test."""
    seen = [0]
    return CancelToken(lambda: seen[0] >= steps), seen


def test_a_still_and_a_clip_train_together(finished: Finished) -> None:
    """One-frame stills and 17-frame clips in one run (field report 10)."""
    result = finished.events[-1].result
    assert result["steps"] == 24 and not result["stopped_early"]
    assert result["drawn"] == {"stills": 36, "animated": 36, "priors": 24}
    assert result["repeats"] == [18, 36]  # every other still item is the further still, the rest the art itself
    assert result["warnings"] == []


def test_events_come_in_order_with_loss_and_time_left(finished: Finished) -> None:
    steps = [event for event in finished.events if isinstance(event, Step) and event.what == "Training"]
    assert [event.done for event in steps] == list(range(1, 25))
    assert all(event.loss > 0 and event.seconds_left >= 0 and event.total == 24 for event in steps)
    assert steps[-1].seconds_left == 0
    assert np.mean([event.loss for event in steps[-5:]]) < 0.5 * np.mean([event.loss for event in steps[:5]])
    assert [event.done for event in finished.events if isinstance(event, Checkpoint)] == [8, 16, 24]
    assert [event.done for event in finished.events if isinstance(event, Preview)] == [10, 20, 24]
    assert isinstance(finished.events[-1], Done)
    json.dumps([to_json(event) for event in finished.events])


def test_previews_are_distinct_animated_pictures(finished: Finished) -> None:
    """Previews never overwrite each other (field report 16)."""
    paths = [event.path for event in finished.events if isinstance(event, Preview)]
    assert len({path.read_bytes() for path in paths}) == len(paths) == 3
    with Image.open(paths[0]) as picture:
        assert picture.is_animated and picture.size == (32, 32) and picture.mode == "RGBA"


def test_the_adapter_loads_and_changes_the_drawing(finished: Finished) -> None:
    """A look without effect would be told (field report 12)."""
    adapter = Adapter.load(finished.folder)
    assert (adapter.backend, adapter.base, adapter.rank) == ("tiny", "tiny-0", 4)
    proof = adapter.proof
    assert proof == json.loads((finished.folder / "proof.json").read_text()) == finished.events[-1].result["proof"]
    assert proof["keys_matched"] == 1 and proof["distance"] > 5
    assert proof["palette_on"] < 0.5 * proof["palette_off"]
    assert proof["psnr_on"] > proof["psnr_off"] + 3 and proof["held_out"] is False
    assert proof["motion_on"] > 0.5 * proof["motion_off"]


def test_the_running_mean_is_kept_not_the_last_step(tmp_path) -> None:
    """With a decay of 0 the mean is the last weights; with 0.9 it is not."""
    config = dataclasses.replace(CONFIG, steps=4, preview_every=0)
    kept = []
    for decay in (0.0, 0.9):
        folder = tmp_path / str(decay)
        list(train(dataclasses.replace(config, ema=decay), tiny_figure(), [], TinyBackend(), folder))
        kept.append(load_file(Adapter.load(folder).weights))
    assert any(not torch.equal(kept[0][name], kept[1][name]) for name in kept[0])


def test_only_the_result_stays_in_the_folder(finished: Finished) -> None:
    names = {path.name for path in finished.folder.iterdir()}
    assert names == {
        "adapter.json",
        "cache",
        "manifest.json",
        "off.webp",
        "on.webp",
        "previews",
        "proof.json",
        "pytorch_lora_weights.safetensors",
        "report.html",
        "result.json",
    }


def test_a_finished_folder_answers_at_once(finished: Finished) -> None:
    backend = TinyBackend()
    samples = [tiny_sample(1, "idle"), tiny_sample(17, "walk")]
    events = list(train(CONFIG, tiny_figure(), samples, backend, finished.folder))
    assert events == [finished.events[-1]]
    assert backend.trainables == []


def test_another_run_never_overwrites_a_folder(finished: Finished) -> None:
    with pytest.raises(TrainingError, match="other settings or samples"):
        next(train(CONFIG, tiny_figure(red=10), [], TinyBackend(), finished.folder))


def test_one_still_and_nothing_else_is_enough(tmp_path) -> None:
    config = dataclasses.replace(CONFIG, steps=6, preview_every=0, still_share=0.1)
    result = list(train(config, tiny_figure(), [], TinyBackend(), tmp_path))[-1].result
    assert result["drawn"] == {"stills": 18, "animated": 0, "priors": 6}
    assert result["proof"]["psnr_on"] is None and result["proof"]["distance"] > 0.1


def test_cancelling_stops_within_a_step_and_leaves_a_checkpoint(tmp_path) -> None:
    cancel, seen = _after(5)
    events = []
    with pytest.raises(Cancelled):
        for event in train(CONFIG, tiny_figure(), [], TinyBackend(), tmp_path, cancel):
            events.append(event)
            if isinstance(event, Step) and event.what == "Training":
                seen[0] = event.done
    assert [event.done for event in events if isinstance(event, Step) and event.loss is not None] == [1, 2, 3, 4, 5]
    assert isinstance(events[-1], Checkpoint) and events[-1].done == 5 and events[-1].path.is_dir()
    assert not (tmp_path / "adapter.json").exists()


def test_cancelling_within_a_preview_keeps_the_step(tmp_path) -> None:
    config = dataclasses.replace(CONFIG, checkpoint_every=1000, preview_every=3)
    cancel, seen = _after(3)
    events = []
    with pytest.raises(Cancelled):
        for event in train(config, tiny_figure(), [], TinyBackend(), tmp_path, cancel):
            events.append(event)
            seen[0] = event.done if isinstance(event, Step) and event.loss is not None else seen[0]
    assert isinstance(events[-1], Checkpoint) and events[-1].done == 3
    assert not list(tmp_path.glob(".part-*"))


def test_cancelling_while_samples_are_read(tmp_path) -> None:
    with pytest.raises(Cancelled):
        list(train(CONFIG, tiny_figure(), [tiny_sample(5, "walk")], TinyBackend(), tmp_path, CancelToken(lambda: True)))


def test_stop_and_keep_finishes_with_what_was_learned(tmp_path) -> None:
    finish, seen = _after(7)
    events = []
    for event in train(CONFIG, tiny_figure(), [], TinyBackend(), tmp_path, finish=finish):
        events.append(event)
        seen[0] = event.done if isinstance(event, Step) and event.loss is not None else seen[0]
    assert events[-1].result["steps"] == 7 and events[-1].result["stopped_early"]
    assert Adapter.load(tmp_path).proof["distance"] > 0.1


def test_a_look_without_effect_is_told(tmp_path) -> None:
    """Field report 12: the weights train, the backend does not listen to them."""
    config = dataclasses.replace(CONFIG, steps=3, preview_every=0)
    events = list(train(config, tiny_figure(), [], TinyBackend(deaf=True), tmp_path))
    told = [event.text for event in events if isinstance(event, Warning)]
    assert len(told) == 1 and told[0].startswith("No effect")
    assert events[-1].result["warnings"] == told


def test_a_look_that_freezes_the_motion_is_told(tmp_path) -> None:
    """Field report 13."""
    config = dataclasses.replace(CONFIG, steps=3, preview_every=0)
    events = list(train(config, tiny_figure(), [], TinyBackend(freeze=0.25), tmp_path))
    assert any(isinstance(event, Warning) and event.text.startswith("Static") for event in events)


def test_a_learning_rate_that_is_too_high_is_said_so(tmp_path) -> None:
    class Running(TinyBackend):
        def trainable(self, rank: int, seed: int):  # the loss overflows in the third step
            trainable = super().trainable(rank, seed)
            honest, calls = trainable.loss, []

            def loss(items, rng):
                calls.append(1)
                return honest(items, rng) * (float("inf") if len(calls) == 3 else 1.0)

            trainable.loss = loss
            return trainable

    with pytest.raises(TrainingError, match=r"step 3; train again with a learning rate below 0\.02"):
        list(train(CONFIG, tiny_figure(), [], Running(), tmp_path))


def test_a_preview_that_the_model_cannot_draw_fails_before_training(tmp_path) -> None:
    class Fussy(TinyBackend):
        pass

    fussy = Fussy(spec=dataclasses.replace(SPEC, frame_rule=(4, 1), max_frames=17))
    config = dataclasses.replace(CONFIG, steps=2, preview_every=1)
    events = list(train(config, tiny_figure(), [], fussy, tmp_path))  # 4N+1: five frames are drawn instead of eight
    with Image.open(next(event.path for event in events if isinstance(event, Preview))) as picture:
        assert picture.n_frames == 5
    nothing = dataclasses.replace(SPEC, frame_rule=(64, 63), max_frames=17)
    with pytest.raises(RequestError):
        next(train(config, tiny_figure(), [], TinyBackend(spec=nothing), tmp_path / "b"))


def test_every_fifth_clip_is_held_out_for_the_proof(tmp_path) -> None:
    clips = [tiny_sample(5, f"action{number}") for number in range(5)]
    learned, held = split([tiny_sample(1, "idle"), *clips])
    assert [sample.action for sample in held] == ["action4"] and len(learned) == 5
    assert split(clips[:4]) == (clips[:4], [])
    config = dataclasses.replace(CONFIG, steps=5, preview_every=0)
    result = list(train(config, tiny_figure(), clips, TinyBackend(), tmp_path))[-1].result
    assert result["proof"]["held_out"] is True
    assert result["repeats"][4] is None and sum(result["repeats"][:4]) == result["drawn"]["animated"]


def test_a_full_disk_at_the_end_is_an_error_that_says_the_cure(tmp_path, monkeypatch) -> None:
    config = dataclasses.replace(CONFIG, steps=2, preview_every=0)
    import lora_trainer.trainer as module

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(module, "write_report", full)
        with pytest.raises(TrainingError, match=r"No space left.*Free some space"):
            list(train(config, tiny_figure(), [], TinyBackend(), tmp_path))
    events = list(train(config, tiny_figure(), [], TinyBackend(), tmp_path))
    assert not [event for event in events if isinstance(event, Step) and event.loss is not None]
    assert isinstance(events[-1], Done)
