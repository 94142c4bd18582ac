"""A blank may be written as people write it."""

import pytest

from explorer.views.widgets.bars import FULL_BAR
from tests.views.opening import opened, said, sent


@pytest.mark.parametrize("blank", ["[mask]", "<mask>", "___", "______"])
def test_every_spelling_of_a_blank_is_a_blank(blank):
    at = opened("masked", text=f"The dog sat on the {blank}.")
    (mount,) = sent(at, "bars")
    assert mount["rows"]
    assert "[MASK]" in str(sent(at, "token_strip"))


@pytest.mark.parametrize(("page", "link"), [("masked", {}), ("home", {})])
def test_bars_say_their_scale(page, link):
    at = opened(page, **link)
    assert sent(at, "bars") and FULL_BAR in said(at)
