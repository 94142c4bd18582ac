"""Search: two rankings, the pairs of a passage, a visitor's own text, and the twenty questions."""

import pytest

from explorer.analysis import sentences
from explorer.analysis.sentences import our_town
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
