"""The page on the two readers, run without a browser: whose guesses it shows, and what it says."""

from functools import partial

import pytest

import explorer
from explorer.analysis import prediction
from explorer.views.elmo import sides
from explorer.views.elmo.presets import PRESETS
from explorer.views.widgets.quoted import quoted
from tests.views import opening
from tests.views.opening import defaults, said, sent, unmarked

DEFAULTS = defaults("elmo")

opened = partial(opening.opened, "sides", view="sides")


@pytest.mark.parametrize("values", [{}, *(preset.values for preset in PRESETS)], ids=str)
def test_both_lists_are_the_models_own(values):
    at = opened(**{name: str(value) for name, value in values.items() if name != "view"})
    shown = DEFAULTS | values
    model = explorer.load("elmo")
    start, end = model.encode(shown["text"]).spans[shown["place"]]
    left, right = (mount["rows"] for mount in sent(at, "bars"))
    for rows, expected in (
        (left, prediction.next_words(model, shown["text"][:start], 10)),
        (right, prediction.previous_words(model, shown["text"][end:], 10)),
    ):
        *guesses, own = rows
        assert [row["token"] for row in guesses] == [word for word, _ in expected]
        assert [row["probability"] for row in guesses] == pytest.approx([p for _, p in expected], abs=1e-6)
        assert own["token"] == shown["text"][start:end] and own["pinned"]
    (strip,) = sent(at, "token_strip")
    assert [t["text"] for t in strip["tokens"] if t.get("selected")] == [shown["text"][start:end]]


def test_the_words_own_rank_counts_those_ahead_of_it():
    at, model = opened(), explorer.load("elmo")
    found = prediction.sides(model, DEFAULTS["text"], DEFAULTS["place"])
    id = model.tokenizer.id("side")
    for mount, probabilities in zip(sent(at, "bars"), (found.left, found.right), strict=True):
        ahead = (probabilities > probabilities[id]).tolist()
        ahead[model.tokenizer.unknown] = False  # no word, but a share for all that are not listed
        assert mount["rows"][-1]["rank"] == f"{sum(ahead) + 1:,}"
        assert "<UNK>" not in [row["token"] for row in mount["rows"]]


def test_a_word_beyond_the_vocabulary_is_read_but_has_no_rank():
    at = opened(text="We saw a zyxwvut in the garden.", place="4")
    for mount in sent(at, "bars"):
        own = mount["rows"][-1]
        assert own["token"] == "zyxwvut" and own["number"] == "unknown" and own["rank"] == ""


def test_what_is_typed_stays_text():
    at = opened(text="<b>old</b> </script> & bank", place="9")
    assert "<b>old" not in said(at) and "&lt;b&gt;old" in said(at)


def test_headings_are_ready_for_html_and_cut_between_words():
    text = "<b>old</b> & " + "bank " * 20
    assert unmarked(sides._head(text)) == "&lt;b&gt;old&lt;/b&gt; &amp; bank bank bank bank …"
    assert unmarked(sides._tail(f"{text} <i>")) == "… bank bank bank bank bank  &lt;i&gt;"
    assert sides._tail("<i>") == sides._head(" <i>") == quoted("<i>")


def test_without_a_word_the_page_invites():
    at = opened(text="")
    assert sent(at, "bars") == [] and "Type a sentence" in said(at)


def test_a_long_text_is_cut_and_the_page_says_so():
    at = opened(text="the bank " * 200, place="999")
    assert "126 words are read; 274 were cut" in said(at)
    assert len(sent(at, "bars")) == 2


def test_a_model_that_reads_otherwise_is_told():
    at = opened(model="bert")
    assert any("cannot guess the next word" in text.value for text in at.text)


@pytest.mark.weights
def test_the_presets_keep_their_promises():
    model = explorer.load("elmo")

    def ask(preset):
        values = DEFAULTS | preset.values
        found = prediction.sides(model, values["text"], values["place"])
        return (
            [(c.token, c.probability) for c in prediction.words_of(model, p, 10)]
            for p in (found.left, found.right)
        )

    both, phrase, one_side, first = map(ask, PRESETS)
    left, right = both
    assert left[0][0] == right[0][0] == "side"
    left, right = one_side
    assert left[0][0] == "States" and left[0][1] > 0.5 and right[0][1] < 0.2
    left, right = phrase
    assert left[0][0] == "head" and {"eyes", "hands"} <= {word for word, _ in left}
    left, right = first
    assert sum(word.lower() in {"he", "i", "she", "they", "we"} for word, _ in right[:5]) >= 3


def test_words_may_be_taken_as_they_were_separated():
    text = "The U.S. team met in mid-October ."
    split, whole = opened(text=text, place="2"), opened(text=text, place="2", separated="true")
    (strip,) = sent(split, "token_strip")
    assert len(strip["tokens"]) > len(text.split())
    (strip,) = sent(whole, "token_strip")
    assert [token["text"] for token in strip["tokens"]] == text.split()
    assert [token["text"] for token in strip["tokens"] if token.get("selected")] == ["U.S."]
    model, words = explorer.load("elmo"), text.split()
    left, right = (mount["rows"] for mount in sent(whole, "bars"))
    for rows, expected in (
        (left, prediction.next_words(model, words[:1], 10)),
        (right, prediction.previous_words(model, words[2:], 10)),
    ):
        assert [row["probability"] for row in rows[:-1]] == pytest.approx([p for _, p in expected], abs=1e-6)
    assert opening.printed_result(whole)["from the right"][0][0] == right[0]["token"]


def test_the_choice_of_words_is_in_the_link():
    at = opened()
    (toggle,) = (one for one in at.toggle if one.label == "Split at spaces only")
    toggle.set_value(True).run()
    assert not at.exception and at.query_params["separated"] == "true"


@pytest.mark.parametrize("text", ["", "   ", "one", "the bank " * 200])
def test_separated_words_of_any_number(text):
    at = opened(text=text, separated="true", place="3")
    assert not at.exception and len(sent(at, "bars")) == 2 * bool(text.strip())


def test_an_old_link_without_a_view_shows_both_lists():
    at = opening.opened("sides", text="He drank a glass of wine.", place=4)
    assert at.segmented_control[0].value == "sides" and len(sent(at, "bars")) == 2
    assert opening.opened("sides").segmented_control[0].value == "bilm"
