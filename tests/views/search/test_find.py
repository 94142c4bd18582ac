"""Search: two rankings, the pairs of a passage, a visitor's own text, and the twenty questions."""

import pytest

from explorer.analysis import sentences
from explorer.analysis.sentences import our_town, unrelated
from explorer.views.search import find
from explorer.views.search.pair_data import MOST_COLUMNS, MOST_ROWS, pair_data
from explorer.views.search.question import QUESTION
from tests.shared_models import model
from tests.views import opening

PASSAGES = our_town.passages()
MODEL = "bert-mini"  # reads all passages in an eighth of the time of the model with which the page opens


def opened(**settings):
    return opening.opened("search", view="find", model=MODEL, **settings)


def test_both_rankings_and_the_pairs_of_the_chosen_passage_are_drawn():
    at = opened(passage=2)
    ranking = sentences.search(QUESTION.default, sentences.read(model(MODEL), PASSAGES), find.BY_MEANING)
    by_meaning, by_words = opening.sent(at, "passages")
    assert [row["text"] for row in by_meaning["rows"]] == [match.text for match in ranking.matches]
    assert by_meaning["chosen"] == 2 and by_words["chosen"] == -1
    words = sentences.bm25(QUESTION.default, PASSAGES, find.BY_WORDS)
    assert [row["text"] for row in by_words["rows"]] == [match.text for match in words.matches]
    (pairs,) = opening.sent(at, "pairs")
    assert pairs == pair_data(sentences.explain(model(MODEL), QUESTION.default, ranking.matches[2].text))
    assert sum(map(sum, pairs["cells"])) == pytest.approx(ranking.matches[2].score, abs=1e-3)


def test_counts_of_words_have_no_pairs():
    at = opened(kind="tfidf")
    assert not opening.sent(at, "pairs") and "no sum over tokens" in opening.told(at)


def test_passages_below_the_line_are_said_to_be_and_all_of_them_are_for_what_the_text_does_not_know():
    at = opened(kind="word2vec", question="What causes migraine?")
    by_meaning, by_words = opening.sent(at, "passages")
    below = unrelated.line(sentences.read(model("word2vec"), PASSAGES))
    assert by_meaning["line"]["above"] == 0 and f"{below:.2f}" in by_meaning["line"]["text"]
    assert "12 of 20 answerable questions, 14 of 20 others" in by_meaning["line"]["tip"]
    assert by_words["line"]["above"] == 0 and "All are below the line" in opening.told(at)
    by_meaning, by_words = opening.sent(
        opened(kind="word2vec", question="When was the bakery founded?"), "passages"
    )
    assert by_meaning["line"]["above"] > 0 and by_words["line"]["above"] > 0


@pytest.mark.parametrize(
    "settings",
    [
        {"question": "Depuis quand les filles vont-elles à l’école ?"},
        {"source": "own", "own": "他坐在河边。"},
    ],
)
def test_for_another_language_than_that_of_the_unrelated_questions_there_is_no_line(settings):
    at = opened(kind="word2vec", **settings)
    assert [each["line"] for each in opening.sent(at, "passages")] == [None] * len(
        opening.sent(at, "passages")
    )
    assert "There is no line" in opening.told(at)


def test_the_line_has_nineteen_of_twenty_unrelated_questions_below_it():
    best = [sentences.bm25(each, PASSAGES, 1).matches for each in unrelated.questions()]
    scores = [matches[0].score if matches else 0.0 for matches in best]
    assert sum(score < unrelated.line(PASSAGES) for score in scores) == 38


def test_the_printed_code_gives_the_passages_on_the_page():
    at = opened(cut="windows", window=20, overlap=5)
    (by_meaning, _) = opening.sent(at, "passages")
    assert [text for _, text in opening.printed_result(at)] == [row["text"] for row in by_meaning["rows"]]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"question": " "}, "There is no question"),
        ({"source": "own"}, "Paste a text above"),
        ({"source": "own", "own": "雪。", "question": "Snow?"}, "No passage has a word of the question"),
    ],
)
def test_what_cannot_be_searched_gets_a_message(settings, message):
    assert message in opening.told(opened(**settings)) + " ".join(
        each.value for each in opened(**settings).error
    )


def test_of_long_texts_the_first_tokens_are_drawn_and_the_sums_are_of_all():
    pairs = sentences.explain(model(MODEL), "why " * 50, "rain " * 100)
    data = pair_data(pairs)
    assert (len(data["rows"]), len(data["columns"])) == (MOST_ROWS, MOST_COLUMNS)
    assert data["columns"][3]["sum"] == pytest.approx(float(pairs.products[:, 3].sum()), abs=1e-4)
    assert "are drawn" in data["note"]


def test_the_chart_counts_the_stored_places():
    opened(shown="twenty")
    rows = find.ranks_table().splitlines()
    assert len(rows) == 21 and rows[1].split(",")[1] == str(our_town.measured()["ranks"]["minilm"][0])
