"""Special tokens hidden, worked by hand on 3 x 3."""

import pytest
import torch

from explorer.analysis.attention import head_view, without_special
from explorer.errors import AbilityError
from explorer.trace import Capture

PATTERN = torch.tensor([[0.5, 0.3, 0.2], [0.6, 0.1, 0.3], [1.0, 0.0, 0.0]])
SPECIAL = torch.tensor([True, False, False])


def test_three_by_three():
    found = without_special(PATTERN, SPECIAL)
    torch.testing.assert_close(found, torch.tensor([[0.25, 0.75], [0.0, 0.0]]))


def test_nothing_special_changes_nothing():
    torch.testing.assert_close(without_special(PATTERN, torch.zeros(3, dtype=torch.bool)), PATTERN)


def test_everything_special_leaves_nothing():
    assert without_special(PATTERN, torch.ones(3, dtype=torch.bool)).shape == (0, 0)


def test_all_layers_and_heads_at_once(bert):
    trace = bert.trace("we sat on the bank")
    found = without_special(trace.attention.pattern, trace.encoding.special)
    assert found.shape == (3, 2, 5, 5)
    torch.testing.assert_close(found.sum(-1), torch.ones(3, 2, 5))
    torch.testing.assert_close(found[1, 1], head_view(trace, 1, 1, hide_special=True).pattern)


def test_head_view_says_what_it_dropped(bert):
    trace = bert.trace("we sat")
    whole = head_view(trace, 2, 1)
    assert whole.tokens == ["[CLS]", "we", "sat", "[SEP]"] and whole.positions == [0, 1, 2, 3]
    assert whole.dropped_mass.tolist() == [0, 0, 0, 0]
    view = head_view(trace, 2, 1, hide_special=True)
    assert view.tokens == ["we", "sat"] and view.positions == [1, 2]
    torch.testing.assert_close(view.dropped_mass, whole.pattern[1:3, [0, 3]].sum(-1))


def test_no_attention_in_the_trace(bert):
    with pytest.raises(AbilityError):
        head_view(bert.trace("we", capture=Capture.HIDDEN), 0, 0)
