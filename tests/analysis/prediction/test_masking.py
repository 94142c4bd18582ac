"""Blanks put into a text and filled again."""

import pytest

from explorer.analysis.prediction.masking import fill, mask_span
from explorer.errors import TextError


def test_mask_span():
    assert mask_span("the river bank", (4, 9)) == "the [MASK] bank"


@pytest.mark.parametrize(
    ("text", "which", "token", "expected"),
    [
        ("the [MASK] was", 0, "bank", "the bank was"),
        ("[MASK] and [MASK]", 1, "we", "[MASK] and we"),
        ("we walk [MASK] home", 0, "##ing", "we walking home"),
        ("we sat [MASK]", 0, ".", "we sat."),
        ("we sat [MASK] on it )", 0, "(", "we sat (on it )"),
        ("a [MASK]-[MASK] bank", 0, "well", "a well-[MASK] bank"),
    ],
)
def test_fill(text, which, token, expected):
    assert fill(text, which, token) == expected


@pytest.mark.parametrize("which", [-1, 1])
def test_fill_names_a_missing_blank(which):
    with pytest.raises(TextError):
        fill("one [MASK] here", which, "word")


def test_fill_undoes_mask():
    text = "we sat on the bank."
    for span in ((0, 2), (14, 18)):
        assert fill(mask_span(text, span), 0, text[slice(*span)]) == text
