"""Training to be watched: its steps, its draws, its end."""

import dataclasses

import pytest
import torch

from explorer.analysis import vectors
from explorer.analysis.vectors import train
from explorer.analysis.vectors.train import Settings
from explorer.errors import ExplorerError, TextError

# Two worlds that share their frames: boats with rivers, coins with banks.
TEXT = "\n".join(
    f"the {thing} {verb} on the {place} {time}"
    for time in ("today", "again", "often", "early")
    for things, verbs, place in (
        (("boat", "ship", "ferry"), ("sails", "floats"), "river"),
        (("coin", "cheque", "loan"), ("counts", "pays"), "ledger"),
    )
    for thing in things
    for verb in verbs
)
METHODS = pytest.mark.parametrize("method", ["skip-gram", "cbow"])


def losses(training) -> list[float]:
    return [progress.loss for progress in training if progress.loss is not None]


@pytest.mark.slow
@METHODS
def test_the_loss_falls_and_words_of_like_company_come_together(method):
    training = train.train(TEXT, Settings(method, window=3, dimensions=16, epochs=60, subsample=0, rate=0.5))
    found = losses(training)
    assert sum(found[-20:]) < 0.9 * sum(found[:20])
    table = training.vectors
    assert {n.word for n in vectors.nearest(table, "boat", 2)} == {"ship", "ferry"}
    assert vectors.similarity(table, "coin", "loan") > vectors.similarity(table, "coin", "ferry") + 0.2


@METHODS
def test_the_same_seed_gives_the_same_vectors(method):
    settings = Settings(method, epochs=2, seed=3)
    first, second = (list(train.train(TEXT, settings)) for _ in range(2))
    assert torch.equal(first[-1].vectors.matrix, second[-1].vectors.matrix)
    assert [p.loss for p in first] == [p.loss for p in second]
    other = list(train.train(TEXT, dataclasses.replace(settings, seed=4)))
    assert not torch.equal(first[-1].vectors.matrix, other[-1].vectors.matrix)


def test_it_draws_from_no_generator_but_its_own():
    before = torch.get_rng_state()
    plain = train.train(TEXT, Settings(epochs=1))
    torch.rand(7)
    list(plain)
    again = list(train.train(TEXT, Settings(epochs=1)))
    assert torch.equal(plain.vectors.matrix, again[-1].vectors.matrix)
    torch.set_rng_state(before)
    list(train.train(TEXT, Settings(epochs=1)))
    assert torch.equal(torch.get_rng_state(), before)


def test_it_goes_no_further_than_it_is_asked():
    training = train.train(TEXT, Settings(epochs=5))
    third = [next(training) for _ in range(3)][-1]
    assert third.step == 3 and third.steps == training.steps and third.epoch == 1
    assert torch.equal(third.vectors.matrix, training.vectors.matrix)
    kept = third.vectors.matrix.clone()
    rest = list(training)
    assert torch.equal(kept, third.vectors.matrix)  # a copy, not a window on the training
    assert rest[-1].step == training.steps and rest[-1].epoch == 5
    with pytest.raises(StopIteration):
        next(training)


@METHODS
def test_what_is_lit_is_a_word_and_its_neighbours_in_its_own_line(method):
    training = train.train(TEXT, Settings(method, window=2, epochs=3, subsample=0))
    line_of = [TEXT.count("\n", 0, start) for start, _ in training.spans]
    seen = 0
    for progress in training:
        assert progress.centre is not None and progress.context
        for place in progress.context:
            assert 0 < abs(place - progress.centre) <= 2 and line_of[place] == line_of[progress.centre]
            seen += 1
    assert seen > 20


def test_thinning_reads_frequent_words_less_often():
    text = "the " * 300 + "\n" + TEXT
    plain = train.train(text, Settings(epochs=1, subsample=0))
    thinned = train.train(text, Settings(epochs=1, subsample=1e-3))
    for training in (plain, thinned):
        next(training)
    the = training.words.index("the")
    assert (plain.ids[plain._read] == the).sum() == plain.counts[the]
    assert (thinned.ids[thinned._read] == the).sum() < 0.2 * thinned.counts[the]
    assert plain.steps == thinned.steps == sum(1 for _ in thinned) + 1


def test_every_running_word_is_read_once_an_epoch():
    training = train.train(TEXT, Settings(epochs=1, subsample=0, window=1))
    next(training)
    assert training._read.tolist() == list(range(len(training.spans)))


def test_words_and_spans():
    training = train.train("The boat, the BOAT! A king's coin; one river.\nthe boat", Settings())
    assert training.words[:2] == ["boat", "the"] and training.counts.tolist()[:2] == [3, 3]
    for (start, end), id in zip(training.spans, training.ids.tolist(), strict=True):
        assert training.text[start:end].lower() == training.words[id]
    rare = train.train(TEXT + "\nquetzal", Settings(least_count=2))
    assert rare.ids[-1] == -1 and "quetzal" not in rare.words
    assert rare.text[slice(*rare.spans[-1])] == "quetzal"


def test_a_step_without_a_pair_has_no_loss():
    training = train.train("one\ntwo\nthree\nfour\nfive\nsix", Settings(epochs=1, subsample=0))
    only = list(training)
    assert [p.loss for p in only] == [None] and only[0].centre is None and only[0].context == []


@pytest.mark.slow
def test_a_word_that_repeats_without_end_throws_nothing_off():
    text = ("row row row your boat gently down the stream " * 400).strip()
    for method in ("skip-gram", "cbow"):
        training = train.train(text, Settings(method, epochs=3, subsample=0, rate=1.0))
        assert all(loss < 50 for loss in losses(training))
        assert training.vectors.matrix.isfinite().all() and training.vectors.matrix.norm(dim=1).max() < 30


@pytest.mark.parametrize("text", ["", "one two", "?!" * 50, "the " * 500])
def test_too_little_text(text):
    with pytest.raises(TextError):
        train.train(text, Settings())


def test_too_much_text():
    with pytest.raises(TextError) as caught:
        train.train("word " * 20_000, Settings())
    assert "100,000" in caught.value.message


@pytest.mark.parametrize(
    "change",
    [
        {"method": "glove"}, {"window": 0}, {"dimensions": 1}, {"negatives": 0}, {"epochs": 0},
        {"rate": 0.0}, {"subsample": -1.0}, {"least_count": 0}, {"seed": -1},
    ],
)  # fmt: skip
def test_settings_without_meaning(change):
    with pytest.raises(ExplorerError) as caught:
        Settings(**change)
    assert caught.value.hint
