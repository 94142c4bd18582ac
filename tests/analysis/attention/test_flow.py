"""Attention flow, worked by hand, against networkx, and beside the rollout."""

import networkx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.attention.flow import MOST_TOKENS, flow
from explorer.analysis.attention.rollout import rollout, steps
from explorer.errors import TextError
from tests.analysis.attention.test_rollout import HALVES, TEXT, graph


def by_networkx(layers: torch.Tensor, layer: int, position: int) -> list[float]:
    """The same flows, by another solver over floating-point widths."""
    pipes = graph(layers[:layer])
    for _, _, edge in pipes.edges(data=True):
        edge["capacity"] = edge["weight"]
    source = (layer, position)
    return [
        networkx.maximum_flow_value(pipes, source, (0, word)) if (0, word) in pipes else 0.0
        for word in range(layers.shape[-1])
    ]


def test_one_layer_is_its_own_row():
    assert flow(HALVES, 1, 2).tolist() == [0.25, 0.25, 0.5]


def test_two_layers_by_hand():
    even = torch.full((2, 2, 2), 0.5)
    assert flow(even, 2, 0).tolist() == [1.0, 1.0]
    # Down from token 2: .5 by token 0, whose pipe to word 0 takes 1, and .5 by token 2, with .25 to each
    # of the first two words and .5 to the last.
    assert flow(HALVES, 2, 2).tolist() == [0.75, 0.25, 0.5]


@pytest.mark.parametrize("which", ["bert", "gpt"])
def test_a_real_trace_flows_as_networkx_says(which, request):
    layers = steps(request.getfixturevalue(which).trace(TEXT))
    for layer, position in ((3, 4), (2, 0), (1, 3)):
        found = flow(layers, layer, position).tolist()
        assert found == pytest.approx(by_networkx(layers, layer, position), abs=1e-6)


@st.composite
def layered(draw) -> torch.Tensor:
    """Random steps with many zeros, whose rows sum to 1."""
    depth, count = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    cells = st.lists(st.integers(0, 3), min_size=depth * count**2, max_size=depth * count**2)
    weights = torch.tensor(draw(cells), dtype=torch.float32).reshape(depth, count, count)
    weights += torch.eye(count)
    return weights / weights.sum(-1, keepdim=True)


@given(layered(), st.data())
def test_flow_is_networkx_own_and_never_below_the_rollout(layers, data):
    layer = data.draw(st.integers(1, len(layers)))
    position = data.draw(st.integers(0, layers.shape[-1] - 1))
    found = flow(layers, layer, position)
    assert found.tolist() == pytest.approx(by_networkx(layers, layer, position), abs=1e-6)
    assert (found >= rollout(layers)[layer, position] - 1e-6).all() and (found <= 1 + 1e-6).all()


def test_too_many_tokens_are_refused_in_words():
    with pytest.raises(TextError, match="40 tokens at most, and these are 41"):
        flow(torch.eye(MOST_TOKENS + 1)[None], 1, 0)
