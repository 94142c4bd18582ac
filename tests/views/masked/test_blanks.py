"""Hiding words, putting them back, filling blanks in: what clicks on the masked-words page do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.views.masked import blanks
from explorer.views.masked.blanks import MASK, carry, click, fill, restore
from explorer.views.settings.setting import LIVE_TOKENS

PIECES = st.lists(st.sampled_from(["a", " ", "the old bank", MASK, "]", "🙂"]), max_size=8).map("".join)


def read(model, state: dict):
    return blanks.read(model, state["text"], state.get("words", []), state.get("blank", 0))


def clicked(model, state: dict, *words: str) -> dict:
    """The state after a click on each of some words (or on the blank of a number, written #1)."""
    for word in words:
        line = read(model, state)
        if word.startswith("#"):
            index = {number: index for index, number in line.numbers.items()}[int(word[1:])]
        else:
            index = [w.text for w in line.words].index(word)
        state = state | click(line, index)
    return state


def test_a_click_hides_a_word_and_a_second_one_puts_it_back(tiny_bert):
    state = {"text": "We saw the Bank.", "words": [], "blank": 0}
    hidden = clicked(tiny_bert, state, "Bank")
    assert hidden == {"text": "We saw the [MASK].", "words": ["Bank"], "blank": 0}
    assert clicked(tiny_bert, hidden, "#0") == state


def test_a_word_of_several_pieces_goes_as_a_whole(tiny_bert):
    state = {"text": "the steep bank"}
    line = read(tiny_bert, state)
    assert len(line.encoding) > 2 + len(line.words)
    assert clicked(tiny_bert, state, "steep")["text"] == "the [MASK] bank"


def test_a_word_goes_with_the_signs_that_the_model_does_not_read(model):
    assert clicked(model, {"text": "नदी के किनारे बैंक है।"}, "बैंक")["text"] == "नदी के किनारे [MASK] है।"


def test_the_blank_that_a_click_makes_is_the_chosen_one_and_others_keep_their_words(tiny_bert):
    state = clicked(tiny_bert, {"text": "we saw the old bank"}, "old", "bank", "we")
    assert state == {"text": "[MASK] saw the [MASK] [MASK]", "words": ["we", "old", "bank"], "blank": 0}
    state = clicked(tiny_bert, state, "#1")
    assert state["blank"] == 1 and state["words"] == ["we", "old", "bank"], "the first click chooses"
    state = clicked(tiny_bert, state, "#1")
    assert state == {"text": "[MASK] saw the old [MASK]", "words": ["we", "bank"], "blank": 0}
    assert restore(read(tiny_bert, state))["text"] == "we saw the old bank"


def test_a_typed_blank_has_no_word_to_put_back(tiny_bert):
    state = {"text": "the [MASK] bank", "words": [], "blank": 0}
    assert clicked(tiny_bert, state, "#0")["text"] == state["text"]
    assert restore(read(tiny_bert, state))["text"] == state["text"]


def test_filling_one_blank_in_leaves_the_others_theirs(tiny_bert):
    state = {"text": "[MASK] saw the [MASK] [MASK]", "words": ["we", "old", "bank"], "blank": 2}
    assert fill(read(tiny_bert, state), 1, "deep") == {
        "text": "[MASK] saw the deep [MASK]",
        "words": ["we", "bank"],
        "blank": 1,
    }


@pytest.mark.parametrize("words", [["a", "b", "c"], [], [1, None], [" "], ["x"]])
def test_words_from_an_old_link_are_made_to_fit(tiny_bert, words):
    line = blanks.read(tiny_bert, "a [MASK] and a [MASK]", words, 99)
    assert len(line.hidden) == 2 and all(word == str(word).strip() for word in line.hidden)
    assert line.blank == 1


def test_a_long_text_is_read_to_the_limit_and_its_lost_blanks_are_counted(model):
    line = blanks.read(model, "the bank [MASK] " * 60, [], 0)
    assert len(line.encoding) == LIVE_TOKENS and line.encoding.truncated == 60 * 3 - 126
    assert len(line.numbers) == 42 and line.beyond == 18
    assert line.text.startswith(line.read)
    again = model.encode(line.read)
    assert again.tokens == line.encoding.tokens, "the part that is read stands by itself"


@pytest.mark.parametrize("text", ["", " ", "🙂", "</script>", "bank", MASK, "[MASK][MASK]", "x[MASK]y"])
def test_any_text_can_be_read(tiny_bert, text):
    line = blanks.read(tiny_bert, text, [], 0)
    assert len(line.numbers) == text.count(MASK) and line.beyond == 0
    assert "".join(word.text for word in line.words) == text.strip()


@given(PIECES, PIECES, PIECES, PIECES)
def test_retyping_forgets_only_the_words_of_blanks_that_changed(head, old, new, tail):
    before, after = head + old + tail, head + new + tail
    words = [str(n) for n in range(before.count(MASK))]
    hidden = carry(before, words, after)
    assert len(hidden) == after.count(MASK)
    assert hidden[: head.count(MASK)] == words[: head.count(MASK)]
    known_words = [word for word in hidden if word]
    assert known_words == sorted(set(known_words), key=int), "each word once, in order"
    assert carry(before, words, before) == words


def test_the_module_knows_the_same_mask_as_the_analyses():
    from explorer.analysis.prediction import masking

    assert blanks.MASK == masking.MASK
