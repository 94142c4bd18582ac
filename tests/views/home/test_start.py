"""The first page: a gap is guessed, a sentence without one is written on."""

from pathlib import Path

from explorer.views.frame.default_models import WRITER
from explorer.views.frame.server.memory import short_label
from explorer.views.home.settings import TEXT
from tests.views.opening import opened, said, sent

ROOT = Path(__file__).parents[3]


def test_a_plain_sentence_is_written_on():
    at = opened("home", text="My dog ate the cake.")
    words, text = sent(at, "token_strip")
    assert [token["text"] for token in words["tokens"]] == ["My", "dog", "ate", "the", "cake", "."]
    assert len(text["tokens"]) > 5 and f"<b>{short_label(WRITER)} writes on</b>" in said(at)


def test_the_word_that_a_click_hid_is_named():
    at = opened("home", text="My [MASK] ate the cake.", hidden="dog")
    assert "hidden: dog" in said(at) and "<b>BERT’s guesses for the gap</b>" in said(at)


def test_the_box_shows_a_gap_for_a_mask():
    (box,) = sent(opened("home"), "text_box")
    assert box["text"] == TEXT.default.replace("[MASK]", "____")


def test_a_switch_writes_probabilities_as_numbers_except_on_a_projector():
    at = opened("home")
    at.toggle(key="/decimal").set_value(True).run()
    assert sent(at, "bars")[0]["rows"][0]["number"] == "0.46"
    at.query_params["present"] = "1"
    assert sent(at.run(), "bars")[0]["rows"][0]["number"] == "46\xa0%"
