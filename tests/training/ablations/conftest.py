"""Runs small enough for tests."""

import pytest

from explorer.models.bert import BertConfig
from training.run.schedule import Schedule


@pytest.fixture
def tiny() -> tuple[Schedule, BertConfig]:
    """How a run of these tests learns, and its network's size."""
    schedule = Schedule(lengths=((0.0, 24),), batch=(96, 96), copy_positions=True)
    return schedule, BertConfig(d_vocab=200, d_model=24, layers=2, heads=3, d_mlp=40, positions=160)
