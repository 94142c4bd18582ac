"""How much a text repeats itself."""

import pytest

from explorer.analysis.generation.repetition import distinct, repetition_rate


def test_repetition_is_the_share_of_runs_seen_before():
    assert repetition_rate([1, 2, 3, 4]) == 0
    assert repetition_rate([1, 2, 3, 1, 2, 3]) == pytest.approx(1 / 4)
    assert repetition_rate([1, 1]) == 0


def test_distinct_counts_different_runs():
    assert distinct([1, 2, 1, 2], 1) == 0.5
    assert distinct([1, 2, 1, 2], 2) == pytest.approx(2 / 3)
    assert distinct([1], 2) == 1
