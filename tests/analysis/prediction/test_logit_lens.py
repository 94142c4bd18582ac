"""The logit lens against the definition: the head over every layer's hidden state."""

import pytest
import torch

from explorer.analysis.prediction import logit_lens
from explorer.analysis.prediction.fill import blanks, next_tokens
from explorer.errors import AbilityError, TextError
from explorer.trace import Capture


@pytest.mark.parametrize("which", [0, 1])
def test_every_layer_of_a_blank_is_the_head_over_its_state(bert, which):
    text = "we [MASK] on the [MASK]."
    found = logit_lens.at_mask(bert, text, which)
    states = bert.trace(text, capture=Capture.HIDDEN).hidden_states[:, found.position]
    torch.testing.assert_close(found.probabilities, bert.unembed(states).softmax(-1))
    assert found.probabilities.shape == (bert.config.layers + 1, bert.config.d_vocab)
    torch.testing.assert_close(found.probabilities[-1], blanks(bert, text).probabilities[which])


def test_every_layer_of_the_next_token(gpt):
    found = logit_lens.at_end(gpt, "the walk")
    states = gpt.trace("the walk", capture=Capture.HIDDEN).hidden_states[:, -1]
    torch.testing.assert_close(found.probabilities, gpt.unembed(states).softmax(-1))
    best = gpt.tokenizer.readable(int(found.probabilities[-1].argmax()))
    assert best == next_tokens(gpt, "the walk", top=1)[0][0]


def test_the_end_of_nothing_and_of_too_much(gpt):
    alone = logit_lens.at_end(gpt, "")
    assert alone.position == 0 and alone.probabilities.shape[0] == gpt.config.layers + 1
    text = "the bank walking " * 30
    found = logit_lens.at_end(gpt, text)
    assert found.position == gpt.config.positions - 1
    expected = next_tokens(gpt, text, top=1)[0][1]
    assert float(found.probabilities[-1].max()) == pytest.approx(expected)


def test_ranks_are_those_of_the_sorted_rows(bert):
    found = logit_lens.at_mask(bert, "we [MASK] on")
    for id in (7, 23):
        expected = [row.sort(descending=True).indices.tolist().index(id) + 1 for row in found.probabilities]
        assert found.ranks(id) == expected


def test_a_word_is_followed_by_its_first_piece(bert, gpt):
    whole = logit_lens.tracked_word(bert, " Bank ")
    assert (whole.word, whole.id, whole.pieces) == ("Bank", bert.tokenizer.id("bank"), ["bank"])
    split = logit_lens.tracked_word(bert, "unbelievable")
    assert split.id == bert.tokenizer.id("un") and split.pieces == ["un", "##believ", "##able"]
    assert logit_lens.tracked_word(bert, "##ing").id == bert.tokenizer.id("##ing")
    spaced, bare = logit_lens.tracked_word(gpt, "the"), logit_lens.tracked_word(gpt, "the", before="(")
    assert spaced.pieces == [" the"] and bare.pieces[0] != " the"


@pytest.mark.parametrize("word", ["", "  ", "🙂"])
def test_what_cannot_be_spelled_is_not_followed(bert, word):
    assert logit_lens.tracked_word(bert, word) is None


def test_what_cannot_be_read_says_so(bert, gpt, encoder):
    for which in (1, -1):
        with pytest.raises(TextError):
            logit_lens.at_mask(bert, "a [MASK]", which)
    for model in (gpt, encoder):
        with pytest.raises(AbilityError):
            logit_lens.at_mask(model, "a [MASK]")
    with pytest.raises(AbilityError):
        logit_lens.at_end(bert, "a")
