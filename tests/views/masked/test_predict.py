"""The masked-words page, run without a browser: what it sends to its components and says in words."""

from functools import partial

import pytest

import explorer
from explorer.analysis import prediction
from explorer.views.widgets.numbers import short
from tests.views import opening
from tests.views.opening import defaults, said, sent

DEFAULTS = defaults("masked")

opened = partial(opening.opened, "masked")


def test_the_page_opens_with_ten_candidates():
    at = opened()
    assert len(sent(at, "bars")[0]["rows"]) == 10
    (strip,) = sent(at, "token_strip")
    assert [t["text"] for t in strip["tokens"] if t.get("selected")] == ["[MASK]"]
    assert not at.query_params


def test_every_blank_gets_its_own_bars_and_many_blanks_a_window():
    at = opened(text="The [MASK] sat on the [MASK].")
    assert len(sent(at, "bars")) == 2 and "Blank 2" in said(at)
    at = opened(text="a [MASK] " * 7, blank="5")
    assert len(sent(at, "bars")) == 3
    assert "Blanks 5 to 7 of 7" in said(at) and "Blank 4" not in said(at)


@pytest.mark.parametrize(("requested", "count"), [("5", 5), ("100", 100), ("37", 50), ("-3", 5), ("x", 10)])
def test_a_link_may_ask_for_any_number_of_candidates(requested, count):
    (mount,) = sent(opened(k=requested), "bars")
    assert len(mount["rows"]) == count


def test_a_word_is_looked_up_below_the_candidates():
    at = opened(probe="zoo, hospital, 🙂, clinic, Unbelievably")
    rows = [row for row in sent(at, "bars")[0]["rows"] if row["pinned"]]
    assert [row["token"] for row in rows] == ["zoo", "hospital", "🙂"]
    model = explorer.load("bert")
    zoo = prediction.probe(model, prediction.blanks(model, DEFAULTS["text"]), "zoo")
    assert rows[0]["rank"] == f"{zoo.rank:,}" and rows[0]["probability"] == pytest.approx(zoo.probability)
    assert rows[2]["number"] == "unknown" and "🙂” cannot be spelled" in said(at)
    assert "Only the first 3 words" in said(at)


def test_a_word_of_several_pieces_says_how_it_was_scored():
    at = opened(probe="unbelievably")
    row = sent(at, "bars")[0]["rows"][-1]
    assert row["pinned"] and row["rank"] == "" and 0 < row["probability"] < 1
    assert "“unbelievably”" in said(at) and "filled from left to right" in said(at)


def test_the_hidden_word_is_named_with_its_rank():
    at = opened(words='["</script>"]')
    assert "&lt;/script&gt;" in said(at) and "</script>" not in said(at)
    at = opened(words='["river"]')
    assert "<i>river</i>, rank" in said(at)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", "Type a sentence"),
        ("bank", "Press a word to mask it"),
        ("No blank here, only </script> and 🙂.", "Press a word to mask it"),
        ("the bank " * 80 + "[MASK]", "Every [MASK] comes after the part that the model reads"),
    ],
)
def test_without_a_blank_the_page_says_what_to_do(text, answer):
    at = opened(text=text)
    assert answer in said(at) and sent(at, "bars") == []
    assert "fill_mask" not in at.code[0].value


def test_a_long_text_says_what_was_cut():
    at = opened(text="the [MASK] " * 80)
    assert "The first 128 tokens are read; 34 were cut, with 17 [MASK] among them." in said(at)


def test_an_unknown_word_is_marked_in_the_sentence():
    (strip,) = sent(opened(text="We [MASK] at the 🙂 zoo."), "token_strip")
    marked = [token for token in strip["tokens"] if token.get("mark") == "dotted"]
    assert [token["text"] for token in marked] == ["🙂"] and "[UNK]" in marked[0]["title"]


def test_two_blanks_and_putting_the_words_back():
    text = "The farmer came home from the [MASK], the sailor from the [MASK]."
    at = opened(text=text, words=["farm", "sea"])
    assert not at.exception and len(sent(at, "bars")) == 2
    at.button(key="masked/restore").click().run()
    assert at.session_state["masked.text"] == "The farmer came home from the farm, the sailor from the sea."
    assert "Press a word to mask it" in said(at)


def test_a_model_without_a_head_says_so(tmp_path_factory):
    from tests import tiny

    folder = tmp_path_factory.mktemp("encoder")
    tiny.write_bert(folder, "BertModel")
    at = opened(model=f"folder:{folder}")
    assert any("cannot guess masked words" in text.value for text in at.text)
    assert sent(at, "bars") == []


def test_a_typed_separator_stands_in_the_line_as_the_special_token_that_it_is():
    (strip,) = sent(opened(text="We saw [SEP] a [MASK]."), "token_strip")
    assert [token["text"] for token in strip["tokens"] if token.get("quiet")] == ["[SEP]"]
    assert [token["text"] for token in strip["tokens"] if token.get("selected")] == ["[MASK]"]


def test_after_a_change_the_opening_is_compared_with():
    model = explorer.load("bert")
    opening, here = (
        prediction.fill_mask(model, text, top=1)[0][0] for text in (DEFAULTS["text"], "We sat on the [MASK].")
    )
    text = said(opened(text="We sat on the [MASK]."))
    assert f"“{opening[0]}”, {short(opening[1])}" in text and f"“{here[0]}”, {short(here[1])}" in text
