"""What BertViz is asked to draw stays within its limit, and keeps as much as the limit allows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.views.widgets.bertviz_limits import FEWEST, LINES, Selection, fit_model, fit_tokens, requested

SIZE = st.integers(1, 130)


@pytest.mark.parametrize(
    ("layers", "heads", "tokens", "sizes"),
    [
        (6, 12, 18, (6, 12, 18)),  # 23,328 lines: all of it
        (6, 12, 60, (6, 12, 23)),  # 6 * 12 * 23^2 = 38,088 and 24^2 would be 41,472
        (12, 12, 60, (12, 12, 16)),
        (1, 1, 128, (1, 1, 128)),
        (1, 3, 128, (1, 3, 115)),
        (24, 16, 128, (24, 16, 10)),
        (48, 25, 128, (25, 25, 8)),  # eight tokens at least: layers go instead
        (48, 25, 3, (48, 25, 3)),
    ],
)
def test_tokens_go_first_then_layers(layers, heads, tokens, sizes):
    part = fit_model(Selection(range(layers), range(heads), range(tokens)))
    assert (len(part.layers), len(part.heads), len(part.tokens)) == sizes


@given(SIZE, SIZE, SIZE)
def test_a_model_view_is_never_too_large_and_never_empty(layers, heads, tokens):
    request = Selection(range(5, 5 + layers), range(heads), range(3, 3 + tokens))
    part = fit_model(request)
    assert 0 < part.lines <= LINES
    assert (part.layers[0], part.heads[0], part.tokens[0]) == (5, 0, 3), "it begins where it was asked to"
    if request.lines <= LINES:
        assert part == request
    elif len(part.tokens) > FEWEST:
        one_more = Selection(part.layers, part.heads, range(len(part.tokens) + 1))
        assert one_more.lines > LINES and (part.layers, part.heads) == (request.layers, request.heads)


def test_a_head_view_takes_forty_eight_tokens_from_where_it_was_asked_to_begin():
    assert fit_tokens(Selection(range(1), range(12), range(20, 128))).tokens == range(20, 68)
    assert fit_tokens(Selection(range(1), range(12), range(5))).tokens == range(5)


@pytest.mark.parametrize(
    "nonsense", [None, 3, "all", [], [1], [3, 1], [-2, 4], [9, 12], ["0", "1"], [0.0, 1.0], {"0": 1}]
)
def test_a_setting_that_makes_no_sense_asks_for_all(nonsense):
    assert requested(nonsense, 6) == range(6)
    assert requested([2, 99], 6) == range(2, 6) and requested([4, 4], 6) == range(4, 5)
