"""The first page: a gap is guessed, a sentence without one is written on."""

import re
from pathlib import Path

import explorer
from explorer.analysis.prediction import fill_mask
from explorer.server.memory import short_label
from explorer.views.frame.default_models import WRITER
from explorer.views.home import guesses
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


def test_the_sentence_stands_once_as_words_or_in_its_box_with_a_gap_for_the_mask():
    at = opened("home")
    assert len(sent(at, "token_strip")) == 1 and not sent(at, "text_box")
    at.button(key="home/write").click().run()
    (box,) = sent(at, "text_box")
    assert box["text"] == TEXT.default.replace("[MASK]", "____") and not sent(at, "token_strip")
    assert not sent(at.button(key="home/write").click().run(), "text_box")
    assert sent(opened("home", text=" "), "text_box")


def test_what_follows_the_words_to_press_is_said():
    (strip,) = sent(opened("home", text="word " * 90 + "[MASK]."), "token_strip")
    assert len(strip["tokens"]) == 81 and strip["tokens"][-1]["text"] == "…"


def test_a_switch_writes_probabilities_as_numbers_except_on_a_projector():
    at = opened("home")
    at.toggle(key="/decimal").set_value(True).run()
    assert sent(at, "bars")[0]["rows"][0]["number"] == "0.46"
    at.query_params["present"] = "1"
    assert sent(at.run(), "bars")[0]["rows"][0]["number"] == "46%"


def test_a_bar_whose_word_is_in_the_sentence_is_hatched_and_said():
    at = opened("home", text="The dog chased the [MASK] up a tree.")
    rows = sent(at, "bars")[0]["rows"]
    assert rows[0]["token"] == "dog" and rows[0]["repeats"] and "in the sentence already" in rows[0]["tip"]
    assert not any(row["repeats"] for row in rows if row["token"] not in ("dog", "chased", "tree"))
    assert re.search(r"Hatched: .*dog.* in the sentence already\. The bundled BERT is small", said(at))
    assert "Hatched" not in said(opened("home"))


def test_the_gap_is_called_so_and_of_two_the_chosen_one_is_guessed():
    (strip,) = sent(opened("home"), "token_strip")
    assert [(t["name"], t["title"]) for t in strip["tokens"] if "name" in t] == [("gap", "press to fill it")]
    text = "The [MASK] lent us the [MASK]."
    two = opened("home", text=text, gap=1)
    assert "<b>BERT’s guesses for gap 2</b>" in said(two)
    _, second = fill_mask(explorer.load("bert"), text, 6)
    assert [row["token"] for row in sent(two, "bars")[0]["rows"]] == [token for token, _ in second]


def test_the_first_guess_is_for_screen_readers_too():
    assert "First guess: money, 46%" in said(opened("home"))


def test_the_second_reader_stands_beside_bert_for_the_opening_sentence_and_once_it_is_asked(monkeypatch):
    monkeypatch.setattr(guesses.kit, "WRITER", "smollm2")  # whose guesses are stored
    assert [mount["label"].split("’")[0] for mount in sent(opened("home"), "bars")] == ["BERT", "SmolLM2"]
    assert len(sent(opened("home", present="1"), "bars")) == 1, "a lecture speaks of BERT"
    monkeypatch.setattr(guesses.kit, "WRITER", "gpt")
    at = opened("home", text="She sat on the [MASK] and read.")
    assert len(sent(at, "bars")) == 1
    _, second = sent(at.button(key="home/second").click().run(), "bars")
    (expected,) = fill_mask(explorer.load("gpt"), "She sat on the [MASK] and read.", 6)
    assert [row["token"] for row in second["rows"]] == [token for token, _ in expected]
    assert "Guesses by GPT · CSV" in [button.label for button in at.get("download_button")]
