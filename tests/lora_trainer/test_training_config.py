"""Settings are refused in words, never clamped."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lora_trainer.config import PRESETS, TrainConfig
from lora_trainer.learner import rate_at
from pipelines.errors import TrainingError, UserError


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("steps", 0, "The steps goes from 1 to 20000; got 0."),
        ("rank", 257, "The rank goes from 1 to 256; got 257."),
        ("batch", 2.5, "The batch must be a whole number; got 2.5."),
        ("learning_rate", 0.0, "The learning rate goes from 1e-07 to 0.1; got 0."),
        ("learning_rate", math.nan, "The learning rate goes from 1e-07 to 0.1; got nan."),
        ("still_share", 1.01, "The still share goes from 0 to 1; got 1.01."),
        ("prior_share", 1.0, "The prior share goes from 0 to 0.9; got 1."),
        ("ema", 1.0, "The ema goes from 0 to 0.9999; got 1."),
        ("seed", -1, "The seed goes from 0 to 4294967295; got -1."),
        ("still_share", "half", "The still share must be a number; got 'half'."),
        ("steps", True, "The steps must be a whole number; got True."),
        ("preview_action", " ", "Choose an action for the previews, for example walk."),
    ],
)
def test_a_value_out_of_range_is_refused_with_the_range(field, value, says) -> None:
    with pytest.raises(TrainingError) as caught:
        TrainConfig(**{field: value})
    assert str(caught.value) == says and isinstance(caught.value, UserError)


def test_every_field_has_its_words() -> None:
    import inspect

    source = inspect.getsource(TrainConfig)
    for field in dataclasses.fields(TrainConfig):
        _, after = source.split(f"    {field.name}: ", 1)
        assert after.split("\n")[1].strip().startswith('"""'), field.name


def test_presets_have_titles_and_one_sentence() -> None:
    assert list(PRESETS) == ["quick", "standard", "thorough"]
    steps = [preset.config.steps for preset in PRESETS.values()]
    assert steps == sorted(steps) and PRESETS["standard"].config == TrainConfig()
    assert all(preset.title and preset.sentence.endswith(".") for preset in PRESETS.values())


def test_json_round_trip_fills_the_missing_and_ignores_the_unknown() -> None:
    config = TrainConfig(steps=77, still_share=0.25)
    assert TrainConfig.from_json(config.to_json()) == config
    assert TrainConfig.from_json({"steps": 77, "from_the_future": 1}) == TrainConfig(steps=77)


@given(st.integers(1, 400), st.floats(0, 0.5))
def test_the_rate_rises_then_falls_and_is_never_above_its_peak(steps: int, share: float) -> None:
    config = TrainConfig(steps=steps, warmup_share=share, learning_rate=1e-2)
    rates = [rate_at(step, config) for step in range(steps)]
    peak = rates.index(max(rates))
    assert all(0 < rate <= 1e-2 for rate in rates)
    assert rates[: peak + 1] == sorted(rates[: peak + 1]) and rates[peak:] == sorted(rates[peak:], reverse=True)
    assert peak <= max(0, round(steps * share))


def test_the_rate_of_known_steps() -> None:
    config = TrainConfig(steps=100, warmup_share=0.1, learning_rate=1e-2)
    assert rate_at(0, config) == pytest.approx(1e-3) and rate_at(9, config) == pytest.approx(1e-2)
    assert rate_at(10, config) == pytest.approx(1e-2) and rate_at(55, config) == pytest.approx(5e-3)
