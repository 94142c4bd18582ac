"""The surprisal of each word of a sentence: they add up to the pseudo-log-likelihood."""

import math

import pytest

from explorer.analysis.prediction.fill import log_likelihood
from explorer.analysis.prediction.pseudo_likelihood import score_sentences
from explorer.errors import AbilityError, TextError

TEXTS = ["we sat on the bank.", "the unbelievable walking boat", "bank", "", "walking 🙂, don't!"]


def log_probability(model, ids: list[int], hidden: list[int], position: int) -> float:
    """log P of a token with some positions masked, by the plain network."""
    import torch

    read = [model.tokenizer.mask if i in hidden else id for i, id in enumerate(ids)]
    with torch.no_grad():
        state = model.network(torch.tensor([read])).last[0, position]
    return float(model.unembed(state).log_softmax(-1)[ids[position]])


def test_the_words_add_up_to_the_pseudo_log_likelihood(bert):
    for text, one in zip(TEXTS, score_sentences(bert, TEXTS)):
        assert one.nats == pytest.approx(log_likelihood(bert, text), rel=1e-5, abs=1e-9)
        assert one.bits == pytest.approx(-one.nats / math.log(2))
        assert "".join(word.text for word in one.words) == text.replace(" ", "")


def test_a_words_surprisals_are_those_of_its_pieces(bert):
    (one,) = score_sentences(bert, ["the unbelievable boat"])
    word = one.words[1]
    assert word.text == "unbelievable" and word.pieces == ("un", "##believ", "##able")
    assert (one.text[word.start :][:4], len(word.surprisals)) == ("unbe", 3)
    ids = bert.encode(one.text).ids.tolist()
    for i, bits in enumerate(word.surprisals):
        assert bits == pytest.approx(-log_probability(bert, ids, [2 + i], 2 + i) / math.log(2), rel=1e-4)


def test_a_whole_word_hides_the_pieces_that_follow(bert):
    text = "the unbelievable boat"
    ids = bert.encode(text).ids.tolist()
    (one,) = score_sentences(bert, [text], whole=True)
    for i, bits in enumerate(one.words[1].surprisals):
        hidden = list(range(2 + i, 5))
        assert bits == pytest.approx(-log_probability(bert, ids, hidden, 2 + i) / math.log(2), rel=1e-4)
    (plain,) = score_sentences(bert, [text])
    for i in (0, 2):  # words of one piece cost the same either way
        assert one.words[i].bits == pytest.approx(plain.words[i].bits, rel=1e-5)


def test_together_as_each_alone(bert):
    for text, one in zip(TEXTS, score_sentences(bert, TEXTS, whole=True)):
        (alone,) = score_sentences(bert, [text], whole=True)
        assert one.bits == pytest.approx(alone.bits, rel=1e-5)


def test_what_cannot_be_scored_says_so(bert, gpt):
    with pytest.raises(TextError, match="tokens"):
        score_sentences(bert, ["a " * 60])
    with pytest.raises(AbilityError):
        score_sentences(gpt, ["we"])
