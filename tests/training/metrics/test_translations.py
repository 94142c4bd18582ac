"""BLEU on the pairs kept aside equals sacrebleu's own, on sentences and baselines put together by hand."""

from dataclasses import replace

import pytest
import sacrebleu

from explorer.analysis import translation
from explorer.errors import NotFoundError
from training import sentence_pairs as pairs_of
from training.metrics.figure import Inputs
from training.metrics.translations import bleu
from training.metrics.word_by_word import WordByWord


@pytest.fixture
def more_held_out(monkeypatch):
    """One group in four is kept aside, so that our few pairs have some."""
    monkeypatch.setattr(pairs_of, "HELD_OUT_SHARE", 4)


@pytest.mark.slow
def test_figures_are_sacrebleus(tiny_marian, pairs, more_held_out):
    found = {figure.key: figure for figure in bleu(tiny_marian, Inputs(pairs=pairs))}
    split = pairs_of.split(pairs_of.read(pairs))
    assert 5 < len(split.held_out) < len(split.train)
    truth = [french for _, french in split.held_out]
    translated = [translation.translate(tiny_marian, english) for english, _ in split.held_out]
    written = [one.text for one in translated]
    assert found["bleu"].value == pytest.approx(sacrebleu.corpus_bleu(written, [truth]).score, abs=0.01)
    assert found["bleu"].items == len(split.held_out) and "nrefs:1|case:mixed" in found["bleu"].note
    words = WordByWord(split.train)
    plain = [words.translate(english) for english, _ in split.held_out]
    wanted = sacrebleu.corpus_bleu(plain, [truth], lowercase=True, force=True).score
    assert found["bleu_words"].value == pytest.approx(wanted, abs=0.01)
    scores = sorted(one.score for one in translated)
    assert scores[0] <= found["score_p5"].value <= scores[len(scores) // 5]


def test_far_sentences_are_long_and_have_no_neighbour(tiny_marian, pairs, more_held_out):
    found = {figure.key: figure for figure in bleu(tiny_marian, Inputs(pairs=pairs))}
    split = pairs_of.split(pairs_of.read(pairs))
    train = [english for english, _ in split.train]
    far = [
        english
        for english, _ in split.held_out
        if len(english.split()) >= 6 and not pairs_of.Neighbours(train).of(english)
    ]
    assert found["bleu_far"].items == len(far)
    assert (found["bleu_far"].value is None) == (not far)


def test_without_pairs_it_says_so(tiny_marian):
    with pytest.raises(NotFoundError, match="--pairs"):
        bleu(tiny_marian, Inputs())


def test_a_limit_shortens_it(tiny_marian, pairs, more_held_out):
    inputs = Inputs(pairs=pairs)
    inputs = replace(inputs, limits=dict(inputs.limits) | {"translations": 3})
    assert bleu(tiny_marian, inputs)[0].items == 3
