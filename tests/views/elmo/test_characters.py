"""The view on a word's letters, run without a browser: what it draws is what the network does."""

from functools import partial

import pytest
import torch

import explorer
from explorer.analysis import characters
from explorer.views.elmo.characters import filters_csv, pieces
from explorer.views.frame.presets import presets_in_row
from tests.views import opening
from tests.views.opening import said, sent, told

opened = partial(opening.opened, "sides", view="characters")


@pytest.mark.slow
@pytest.mark.parametrize("preset", presets_in_row("sides", "characters")[:1], ids=lambda preset: preset.label)
def test_the_picture_is_the_networks_own(preset):
    word = preset.values["word"]
    at = opened(word=word)
    (drawn,) = sent(at, "characters")
    layer_0 = explorer.load("elmo").trace([word]).hidden_states[0, 1]
    assert drawn["vector"] == pytest.approx(layer_0[: len(drawn["vector"])].tolist(), abs=1e-4)
    assert [width["width"] for width in drawn["widths"]] == [1, 2, 3, 4, 5]
    result = opening.printed_result(at)
    assert drawn["highways"][0]["share"] == pytest.approx(result["carried"][0], abs=1e-4)
    letters = sent(at, "bars")[0]["rows"]
    assert [row["token"] for row in letters] == [word for word, _ in result["nearest"]]


def test_word2vec_has_none_for_an_invented_word_and_says_so():
    at = opened(word="unbankable")
    _, ngrams = sent(at, "bars")
    assert "unthinkable" in [row["token"] for row in ngrams["rows"]], "fastText has one"
    assert "No vector" in said(at) and "not among the 30,000 words" in said(at)
    assert len(sent(opened(word="bank"), "bars")) == 3


def test_a_word_of_the_vocabulary_is_not_its_own_neighbour():
    rows = sent(opened(word="bank"), "bars")[0]["rows"]
    assert "bank" not in [row["token"] for row in rows]


def test_a_piece_names_the_characters_of_its_filters():
    found = characters.read(explorer.load("elmo"), "walking")
    for which, filters in enumerate(found.filters):
        listed = pieces(found, which)
        strengths = [piece["strongest"] for piece in listed]
        assert strengths == sorted(strengths, reverse=True)
        best = int(filters.values.argmax())
        assert listed[0]["start"] == int(filters.starts[best])
        assert listed[0]["strongest"] == pytest.approx(float(filters.values[best]), abs=1e-3)
        own = (filters.values > 0) & (filters.starts == listed[0]["start"])
        assert listed[0]["filters"] == int(own.sum())


def test_the_shade_of_a_letter_counts_the_filters_that_cover_it():
    found = characters.read(explorer.load("elmo"), "walking")
    (drawn,) = sent(opened(word="walking"), "characters")
    filters, covers = found.filters[2], drawn["widths"][2]["covers"]
    for place in range(len(found.characters)):
        inside = (filters.starts <= place) & (place < filters.starts + 3)
        assert covers[place] == pytest.approx(float(inside.float().mean()), abs=1e-4)


def test_every_filter_can_be_saved():
    found = characters.read(explorer.load("elmo"), "bank")
    lines = filters_csv(found).splitlines()
    assert len(lines) == 1 + sum(len(filters.values) for filters in found.filters)
    assert torch.tensor([float(line.rsplit(",", 1)[1]) for line in lines[1:]]).min() >= 0


@pytest.mark.parametrize(
    ("word", "message"), [("", "There is no word."), ("ice cream", "more than one word")]
)
def test_what_is_no_single_word_is_told(word, message):
    assert message in told(opened(word=word))


def test_what_is_typed_stays_text():
    at = opened(word="</p><b>old")
    assert "<b>old" not in said(at) and "&lt;b&gt;old" in said(at)


def test_a_long_word_is_cut_and_the_page_says_so():
    assert "first 48 bytes" in said(opened(word="x" * 90))


def test_both_views_keep_the_sentence_and_the_word():
    at = opened(word="blorping", text="He had never seen the sea before.", place=3)
    at.session_state["sides.view"] = "sides"
    at.run()
    assert at.query_params["word"] == "blorping" and at.query_params["place"] == "3"
