"""Attention rollout, worked by hand and against paths counted in a graph."""

import networkx
import pytest
import torch

from explorer.analysis.attention.rollout import at_token, rollout, steps, token_rollout, with_residual
from explorer.errors import AbilityError, ExplorerError, TextError
from explorer.trace import Capture

TEXT = "we sat on the bank"
# Two layers of three tokens, halves and quarters, so that a hand can follow them.
HALVES = torch.tensor(
    [
        [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.25, 0.5]],
        [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5]],
    ]
)


def graph(layers: torch.Tensor) -> networkx.DiGraph:
    """The layers as a graph whose nodes are (layer, place)."""
    made = networkx.DiGraph()
    for above, step in enumerate(layers.double().tolist()):
        for upper, row in enumerate(step):
            for lower, weight in enumerate(row):
                if weight > 0:
                    made.add_edge((above + 1, upper), (above, lower), weight=weight)
    return made


def test_two_layers_by_hand():
    found = rollout(HALVES)
    torch.testing.assert_close(found[0], torch.eye(3))
    torch.testing.assert_close(found[1], HALVES[0])
    by_hand = torch.tensor([[0.75, 0.25, 0.0], [0.5, 0.5, 0.0], [0.625, 0.125, 0.25]])
    torch.testing.assert_close(found[2], by_hand)


def test_the_residual_is_one_half_and_rows_without_hidden_tokens_are_rescaled():
    attention = torch.tensor([[[0.5, 0.25, 0.25], [0.6, 0.3, 0.1], [1.0, 0.0, 0.0]]])
    torch.testing.assert_close(
        with_residual(attention), torch.tensor([[[0.75, 0.125, 0.125], [0.3, 0.65, 0.05], [0.5, 0.0, 0.5]]])
    )
    left = with_residual(attention, torch.tensor([True, False, False]))
    # The last row had looked at the hidden token alone: it keeps itself.
    torch.testing.assert_close(left, torch.tensor([[[0.875, 0.125], [0.0, 1.0]]]))


@pytest.mark.parametrize("which", ["bert", "gpt"])
def test_every_path_of_a_real_trace_is_counted(which, request):
    trace = request.getfixturevalue(which).trace(TEXT)
    layers = steps(trace)
    torch.testing.assert_close(layers, (trace.attention.pattern.mean(1) + torch.eye(len(trace.tokens))) / 2)
    found = rollout(layers)
    torch.testing.assert_close(found.sum(-1), torch.ones(found.shape[:2]))
    paths = graph(layers)
    for word in (0, 1, len(trace.tokens) - 1):
        # Number of ways weighted by their widths: a topological sum, independent of matrix products.
        share = {node: float(node == (0, word)) for node in paths if node[0] == 0}
        for node in reversed(list(networkx.topological_sort(paths))):
            if node[0] > 0:
                share[node] = sum(w["weight"] * share.get(below, 0.0) for below, w in paths[node].items())
        for place in range(len(trace.tokens)):
            assert found[3, place, word] == pytest.approx(share[3, place], abs=1e-6)


def test_the_future_has_not_been_read(gpt):
    found = rollout(steps(gpt.trace(TEXT)))
    assert found.triu(1).sum() == 0


def test_special_tokens_left_out(bert):
    trace = bert.trace(TEXT)
    layers = steps(trace, without=trace.encoding.special)
    assert layers.shape == (3, 5, 5)
    torch.testing.assert_close(layers.sum(-1), torch.ones(3, 5))


def test_a_tokens_rollout_ends_in_its_row_of_the_rollout(bert):
    layers = steps(bert.trace(TEXT))
    levels, strands = token_rollout(layers, layer=3, position=4)
    torch.testing.assert_close(levels[0], rollout(layers)[3, 4])
    torch.testing.assert_close(levels.sum(-1), torch.ones(4))
    assert levels[3].tolist() == [0, 0, 0, 0, 1, 0, 0]
    for layer in range(3):
        mine = [s for s in strands if s.layer == layer]
        for place in range(7):
            assert sum(s.share for s in mine if s.upper == place) == pytest.approx(
                float(levels[layer + 1, place]), abs=1e-6
            )
            assert sum(s.share for s in mine if s.lower == place) == pytest.approx(
                float(levels[layer, place]), abs=1e-6
            )
    wide = token_rollout(layers, 3, 4, least=0.05)[1]
    assert wide == [s for s in strands if s.share >= 0.05]
    assert 0 < len(wide) < len(strands)


def test_a_token_of_a_trace_is_rolled_out_without_special_tokens_or_with_them(bert):
    trace = bert.trace(TEXT)
    last = at_token(trace, 5)
    torch.testing.assert_close(last.shares, rollout(steps(trace, trace.encoding.special))[3, 4])
    assert (last.positions, last.place, last.layer) == ([1, 2, 3, 4, 5], 4, 3)
    with_special = at_token(trace, 6, layer=2, hide_special=False)
    torch.testing.assert_close(with_special.shares, rollout(steps(trace))[2, 6])
    torch.testing.assert_close(with_special.weights, trace.attention.pattern[1].mean(0))
    with pytest.raises(TextError):
        at_token(trace, 6)
    with pytest.raises(ExplorerError, match="no layer 0"):
        at_token(trace, 5, layer=0)


def test_two_layers_of_a_tokens_rollout_by_hand():
    levels, strands = token_rollout(HALVES, 2, 2)
    torch.testing.assert_close(levels, torch.tensor([[0.625, 0.125, 0.25], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]]))
    found = {(s.layer, s.upper, s.lower): s.share for s in strands}
    assert found == {
        (1, 2, 0): 0.5, (1, 2, 2): 0.5, (0, 0, 0): 0.5, (0, 2, 0): 0.125, (0, 2, 1): 0.125, (0, 2, 2): 0.25,
    }  # fmt: skip


def test_no_attention_in_the_trace(bert):
    with pytest.raises(AbilityError):
        steps(bert.trace("we", capture=Capture.HIDDEN))
