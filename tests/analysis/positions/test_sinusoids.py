"""The table of sines and cosines: its formula, and what is claimed of it, for any width, step and place."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.positions import sinusoids
from explorer.errors import ExplorerError

WIDTHS = st.integers(1, 48).map(lambda pairs: 2 * pairs)


def test_every_number_is_the_formulas():
    found = sinusoids.table(5, 6)
    for pos in range(5):
        for i in range(3):
            angle = pos / 10000 ** (2 * i / 6)
            assert float(found[pos, 2 * i]) == pytest.approx(math.sin(angle), abs=1e-12)
            assert float(found[pos, 2 * i + 1]) == pytest.approx(math.cos(angle), abs=1e-12)


def test_marian_has_all_sines_first():
    found = sinusoids.halves(sinusoids.table(7, 8))
    angles = torch.arange(7, dtype=torch.float64)[:, None] * sinusoids.frequencies(8)
    torch.testing.assert_close(found, torch.cat([angles.sin(), angles.cos()], 1))


def test_marians_table_is_that_of_transformers():
    from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding

    theirs = MarianSinusoidalPositionalEmbedding(11, 16).create_weight()
    torch.testing.assert_close(sinusoids.halves(sinusoids.table(11, 16)).float(), theirs, atol=1e-6, rtol=0)


@given(width=WIDTHS, steps=st.integers(0, 40), at=st.integers(0, 40))
def test_a_shift_is_the_same_rotation_everywhere(width, steps, at):
    vectors = sinusoids.table(81, width)
    found = sinusoids.shift(vectors, steps, at)
    assert len(found.errors) == 81 - steps
    assert float(found.errors.max()) < 1e-11
    identity = torch.eye(width, dtype=torch.float64)
    torch.testing.assert_close(found.matrix @ found.matrix.T, identity, atol=1e-12, rtol=0)
    angles = steps * sinusoids.frequencies(width)
    torch.testing.assert_close(found.matrix.diagonal()[::2], angles.cos(), atol=1e-11, rtol=0)


def test_a_wrong_step_does_not_fit():
    vectors = sinusoids.table(40, 16)
    matrix = sinusoids.shift(vectors, 3).matrix
    assert float((vectors[:36] @ matrix.T - vectors[4:]).abs().amax(1).min()) > 0.1


@given(width=WIDTHS, length=st.integers(2, 60))
def test_the_dot_product_depends_on_the_distance_alone(width, length):
    vectors = sinusoids.table(length, width)
    found = vectors @ vectors.T
    for distance in range(length):
        wanted = (distance * sinusoids.frequencies(width)).cos().sum()
        line = found.diagonal(distance)
        torch.testing.assert_close(line, wanted.expand_as(line), atol=1e-10, rtol=0)


@pytest.mark.parametrize("width", [0, -2, 7])
def test_a_width_without_pairs_is_refused(width):
    with pytest.raises(ExplorerError):
        sinusoids.table(5, width)


@pytest.mark.parametrize(("steps", "at"), [(5, 0), (1, 4), (-1, 2), (1, -1)])
def test_a_step_out_of_the_table_is_refused(steps, at):
    with pytest.raises(ExplorerError, match="not both in a table of 5"):
        sinusoids.shift(sinusoids.table(5, 4), steps, at)
