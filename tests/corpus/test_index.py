"""A text's sentences in memory: the bound of all together, and what is left of one that is deleted."""

import gc

import pytest

from explorer.analysis.senses.occurrences import Sentence
from explorer.corpus import index as module
from explorer.corpus.index import build
from explorer.corpus.lookup import lookup
from explorer.errors import TextError


def test_all_texts_together_have_a_bound_and_a_deleted_one_makes_room(monkeypatch):
    gc.collect()
    monkeypatch.setattr(module, "_kept", type(module._kept)())
    monkeypatch.setattr(module, "MOST_MB", 0.001)
    first = build("a.txt", [Sentence("é" * 300)])
    with pytest.raises(TextError, match=r"no room for b\.txt") as error:
        build("b.txt", [Sentence("x" * 401)])
    assert "smaller part" in error.value.hint
    first.delete()
    second = build("b.txt", [Sentence("x" * 1000)])
    del second
    gc.collect()
    assert build("c.txt", [Sentence("y" * 1000)]).size == 1000, "one that nobody holds counts no more"


def test_a_deleted_text_is_said_to_be_gone_and_a_second_deletion_does_nothing():
    index = build("a.txt", [Sentence("The bank.")])
    index.delete()
    index.delete()
    with pytest.raises(TextError, match="no longer here"):
        lookup(index, "bank")


def test_a_text_without_a_sentence_is_refused_and_each_few_hundred_are_told():
    with pytest.raises(TextError, match=r"no sentences in a\.txt"):
        build("a.txt", [])
    steps = []
    build("a.txt", map(Sentence, map(str, range(2 * module.BATCH + 1))), lambda: steps.append(1))
    assert len(steps) == 2
