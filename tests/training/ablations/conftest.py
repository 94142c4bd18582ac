"""Runs small enough for tests."""

import pytest

from explorer.models.bert import BertConfig
from training.run.task import Recipe


@pytest.fixture
def tiny() -> tuple[Recipe, BertConfig]:
    """How a run of these tests learns, and its network's size."""
    recipe = Recipe(lengths=((0.0, 24),), batch=(96, 96), copied=True)
    return recipe, BertConfig(d_vocab=200, d_model=24, layers=2, heads=3, d_mlp=40, positions=160)
