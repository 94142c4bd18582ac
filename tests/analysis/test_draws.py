"""The compiled loops over a vocabulary against PyTorch and their definitions."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.draws import fall, soften, survey

NUMBERS = st.floats(-30, 30, width=32)
ROW = st.lists(NUMBERS, min_size=1, max_size=50).map(lambda row: np.array([row], np.float32))


@given(ROW, st.floats(0.05, 5))
def test_soften_is_the_softmax(row, temperature):
    wanted = (torch.from_numpy(row).double() / temperature).softmax(-1)
    found = torch.from_numpy(soften(row, np.array([temperature], np.float32))).double()
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-7)
    assert float(found.sum()) == pytest.approx(1, abs=1e-5)


def test_a_tiny_temperature_leaves_the_best_alone():
    row = np.array([[1, 3, 2, 3], [1000, -1000, 0, 999]], np.float32)
    found = soften(row, np.array([1e-6, 1e-6], np.float32))
    assert found.tolist() == [[0, 0.5, 0, 0.5], [1, 0, 0, 0]]


@given(
    st.lists(st.sampled_from([0.0, 0.0, 0.125, 0.5, 1.0]), min_size=1, max_size=20).filter(any),
    st.floats(0, 1, exclude_max=True),
)
def test_a_draw_falls_where_the_running_sum_first_exceeds_it(chances, draw):
    (id,) = fall(np.array([chances], np.float32), np.array([draw]))
    before, upto = sum(chances[:id]), sum(chances[: id + 1])
    assert chances[id] > 0
    assert before <= draw * sum(chances) < upto or draw * sum(chances) >= sum(chances)


def test_the_last_draw_finds_the_last_chance():
    chances = np.array([[0.3, 0.7, 0.0]], np.float32)
    assert fall(chances, np.array([np.nextafter(1.0, 0)])).tolist() == [1]


@given(ROW, st.integers(0, 60), st.data())
def test_survey_is_a_stable_sort_of_the_softmax(row, count, data):
    id = data.draw(st.integers(0, row.shape[1] - 1))
    count = min(count, row.shape[1])
    probability, rank, best, theirs = survey(row, np.array([id]), count)
    shares = torch.from_numpy(row[0]).double().softmax(0).numpy()
    assert probability[0] == pytest.approx(shares[id], rel=1e-4, abs=1e-37)
    assert rank[0] == 1 + (row[0] > row[0, id]).sum()
    order = sorted(range(row.shape[1]), key=lambda i: -row[0, i])
    assert best[0].tolist() == order[:count]
    assert theirs[0] == pytest.approx(shares[order[:count]], rel=1e-4, abs=1e-37)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_scores_that_are_not_numbers_come_out_as_such(bad):
    row = np.array([[1, bad, 2]], np.float32)
    assert np.isnan(survey(row, np.array([0]), 2)[0]).all()
