"""Depth by a real model class of a few kilobytes, and what is said without weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipelines.errors import MissingWeightsError, RequestError
from pipelines.scenery import DEPTH_MODELS, available_depth_models, depth_of, split_scene

from .painted import valley


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Depth Anything network on disk, as `transformers` saves one."""
    import torch
    from transformers import (
        DepthAnythingConfig,
        DepthAnythingForDepthEstimation,
        Dinov2Config,
        DPTImageProcessor,
    )

    torch.manual_seed(0)
    backbone = Dinov2Config(
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        image_size=28,
        patch_size=14,
        out_features=["stage1", "stage2"],
        reshape_hidden_states=False,
    )
    config = DepthAnythingConfig(
        backbone_config=backbone,
        reassemble_hidden_size=16,
        reassemble_factors=[2, 1],
        neck_hidden_sizes=[8, 8],
        fusion_hidden_size=8,
        head_hidden_size=4,
    )
    folder = tmp_path_factory.mktemp("depth")
    DepthAnythingForDepthEstimation(config).save_pretrained(folder)
    DPTImageProcessor(size={"height": 56, "width": 56}).save_pretrained(folder)
    return folder


@pytest.mark.slow
def test_a_model_on_disk_gives_depth_that_splits(tiny: Path) -> None:
    picture = valley()
    depth = depth_of(picture, tiny)
    assert depth.shape == picture.shape[:2] and depth.dtype == np.float32
    assert depth.min() == 0 and depth.max() == 1 and depth.std() > 0.02
    assert (depth == depth_of(picture, tiny)).all()
    assert split_scene(picture, depth=depth, loops=False).layers


def test_without_weights_the_error_says_what_to_fetch(tmp_path: Path) -> None:
    row = DEPTH_MODELS["depth-anything-v2-small"]
    if row not in available_depth_models():
        with pytest.raises(MissingWeightsError, match=row.source):
            depth_of(valley())
    with pytest.raises(MissingWeightsError, match="holds no depth model"):
        depth_of(valley(), tmp_path)
    with pytest.raises(RequestError, match="dpt-large"):
        depth_of(valley(), "magic")
