"""The stored figures of the twenty questions, against the searches and the writer."""

import pytest

from explorer.analysis.sentences import answering, our_town
from measuring import search
from tests.shared_models import model

TWENTY = our_town.questions()
MEASURED = our_town.measured()


def test_the_searches_without_a_large_model_give_the_stored_places():
    for kind in ("bm25", "tfidf", "word2vec"):
        assert search.passage_ranks(kind, TWENTY) == MEASURED["ranks"][kind]


def test_the_searches_without_a_large_model_give_the_stored_lines():
    for kind in ("bm25", "tfidf", "word2vec"):
        assert search.line_counts(kind) == MEASURED["lines"][kind]


def test_what_is_stored_as_right_is_right():
    for answers in MEASURED["answers"].values():
        for question, answer in zip(TWENTY, answers, strict=True):
            assert answering.is_right(answer["text"], question.answers) == answer["right"]


@pytest.mark.weights
@pytest.mark.long
def test_the_encoders_give_the_stored_places():
    for kind in ("bert-mini", "minilm"):
        assert search.passage_ranks(kind, TWENTY) == MEASURED["ranks"][kind]
        assert search.line_counts(kind) == MEASURED["lines"][kind]


@pytest.mark.weights
@pytest.mark.long
@pytest.mark.parametrize("choice", ["right", "search", "none", "wrong", *our_town.POISONS])
def test_the_writer_gives_the_stored_answers(choice):
    some = TWENTY[:2]
    answers = search.written_answers(model("smollm2"), search.passage_choices()[choice], some)
    assert answers == MEASURED["answers"][choice][:2]
