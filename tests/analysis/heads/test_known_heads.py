"""Scores and names on a model whose heads are known by construction."""

import pytest

from explorer.analysis.heads import behaviours, kinds, measure, storing
from explorer.analysis.heads.induction import induction
from explorer.analysis.heads.relations import Parse

TEXT = "the old dog saw a cat and the old dog ran home"


def test_on_repeated_tokens(known_gpt):
    found = induction(known_gpt, tokens=5, copies=4, seeds=5)
    assert found.best == (1, 1) and found.score > 0.95
    assert float(found.previous[0, 0]) > 0.95
    assert divmod(int(found.duplicate.argmax()), 2) == (1, 0)
    assert float(found.scores[0].max()) < 0.3 and float(found.scores[1, 0]) < 0.3


def test_on_one_text(known_gpt):
    found = behaviours(known_gpt.trace(TEXT))
    assert float(found["previous"][0, 0]) > 0.95
    assert float(found["after"][1, 1]) > 0.95
    assert divmod(int(found["repeat"].argmax()), 2) == (1, 0)
    assert float(found["even"][0, 1]) == pytest.approx(1, abs=1e-5)
    assert float(found["same"][1, 0]) > float(found["same"][1, 1])


def test_their_names(known_gpt):
    repeated = induction(known_gpt, tokens=5, copies=4, seeds=5)
    named = kinds(behaviours(known_gpt.trace(TEXT)), repeated=repeated)
    assert [kind.name for kind in named[0, 0]] == ["previous"]
    assert [kind.name for kind in named[0, 1]] == ["broad"]
    assert named[1, 1][0].name == "induction" and named[1, 0][0].name == "duplicate"


def test_a_relation_that_is_the_word_before(known_gpt):
    parses = [
        Parse(
            "the old dog ran fast",
            ("the", "old", "dog", "ran", "fast"),
            ("det", "amod", "nsubj", "root", "advmod"),
            (2, 2, 3, -1, 3),
        ),
        Parse(
            "the bird saw a tree",
            ("the", "bird", "saw", "a", "tree"),
            ("det", "nsubj", "root", "det", "obj"),
            (1, 2, -1, 4, 2),
        ),
    ]
    calls = []
    found = measure(known_gpt, parses, lambda done, total: calls.append((done, total)))
    assert calls == [(1, 2), (2, 2)] and (found.sentences, found.skipped) == (2, 0)
    subject = found.relations["nsubj"]["to_dependent"]
    assert subject.best == (0, 0) and float(subject.accuracy[0, 0]) == 1 == subject.baseline.accuracy
    det = found.relations["det"]["to_dependent"]  # the old dog: the word before is not the determiner
    assert float(det.accuracy[0, 0]) == pytest.approx(2 / 3) == det.baseline.accuracy
    assert det.baseline.offset == -1 and det.questions == 3
    assert found.flat["previous"] < float(found.behaviours["previous"][0, 0])


def test_left_to_right_models_read_their_start_token_first(gpt, bert):
    from explorer.analysis.heads.measuring import traces

    [trace] = traces(gpt, ["the bank"])
    assert trace.tokens[0] == "<|endoftext|>" and trace.encoding.special.tolist()[:2] == [True, False]
    [trace] = traces(bert, ["the bank"])
    assert trace.tokens == ["[CLS]", "the", "bank", "[SEP]"]


def test_models_without_room_or_attention(gpt, bert, static):
    assert storing.repetition(bert) is None and storing.repetition(static) is None
    assert storing.repetition(gpt) is None, "101 tokens do not fit into 41"
