"""Blanks put into a text and filled again."""

import pytest

from explorer.analysis.prediction.masking import fill, mask_span, mask_token
from explorer.errors import TextError


@pytest.mark.parametrize("position", [2, 3])
def test_a_click_on_any_piece_masks_the_whole_word(bert, position):
    assert mask_token(bert, "we walking home", position) == "we [MASK] home"


def test_a_special_token_cannot_be_masked(bert):
    with pytest.raises(TextError):
        mask_token(bert, "we sat", 0)


def test_a_blank_stays_a_blank(bert):
    assert mask_token(bert, "we [MASK] home", 2) == "we [MASK] home"


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


def test_fill_undoes_mask(bert):
    text = "we sat on the bank."
    for position, word in ((1, "we"), (5, "bank")):
        assert fill(mask_token(bert, text, position), 0, word) == text
