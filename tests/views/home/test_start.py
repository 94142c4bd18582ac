"""The start page: its stored example is true, it survives bad input."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.attention.texts import TIRED, WIDE
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.server.memory import short_label
from explorer.views.home.moving_pictures import SENTENCE
from tests.views.opening import defaults, opened, said, sent
from training import moving_pictures
from training.stored import FILE, TEXT, example

DEFAULTS = defaults("home")

ROOT = Path(__file__).parents[3]


def test_the_stored_example_is_what_the_model_says_now():
    stored, live = json.loads(FILE.read_text()), example()
    assert stored["text"] == live["text"] == TEXT == DEFAULTS["text"]
    assert [row["token"] for row in stored["rows"]] == [row["token"] for row in live["rows"]]
    for old, new in zip(stored["rows"], live["rows"]):
        assert old["probability"] == pytest.approx(new["probability"], abs=2e-3)


def test_the_page_runs_under_app_and_alone():
    for at in (AppTest.from_file(str(ROOT / "app.py")), AppTest.from_file(str(ROOT / "pages" / "home.py"))):
        at.run(timeout=30)
        assert not at.exception
        assert at.title[0].value == "Language models at work"


def test_a_plain_sentence_is_written_on():
    at = opened("home", text="My dog ate the cake.")
    words, text = sent(at, "token_strip")
    assert [token["text"] for token in words["tokens"]] == ["My", "dog", "ate", "the", "cake", "."]
    assert len(text["tokens"]) > 5 and f"<b>{short_label(WRITER)} writes on</b>" in said(at)


def test_the_word_that_a_click_hid_is_judged():
    at = opened("home", text="My [MASK] ate the cake.", hidden="dog")
    assert "hidden: dog, " in said(at) and "<b>BERT’s guesses for the gap</b>" in said(at)


def test_the_box_shows_a_gap_for_a_mask():
    (box,) = sent(opened("home"), "text_box")
    assert box["text"] == TEXT.replace("[MASK]", "____")


def test_the_moving_pictures_draw_what_their_views_open_with():
    defaults_of = {name: defaults(name) for name in ("attention", "heads", "vectors")}
    assert moving_pictures.SENTENCES == [TIRED, WIDE]
    assert [*moving_pictures.HEAD] == [defaults_of["attention"][name] for name in ("layer", "head")]
    assert [[*moving_pictures.OFF]] == defaults_of["heads"]["off"]
    words = defaults_of["heads"]["text"].split()
    words[defaults_of["heads"]["blank"]] = "____"
    assert SENTENCE == moving_pictures.GUESSED.replace("[MASK]", "____") == " ".join(words)
    names = set(" ".join(moving_pictures.GROUPS).split())
    assert names <= set(defaults_of["vectors"]["words"].replace(":", "").split())


@pytest.mark.weights
def test_the_moving_pictures_are_what_the_models_say_now():
    stored, live = json.loads(moving_pictures.FILE.read_text()), moving_pictures.pictures()
    live = json.loads(json.dumps(live))
    for name in ("head", "words"):
        assert stored["off"][name] == live["off"][name]
    for name in ("before", "after"):
        assert stored["off"][name] == pytest.approx(live["off"][name], abs=2e-3)
    for old, new in zip(stored["attended"]["sentences"], live["attended"]["sentences"], strict=True):
        assert old["words"] == new["words"] and old["weights"] == pytest.approx(new["weights"], abs=2e-3)
    assert len(stored["learnt"]["maps"]) == len(live["learnt"]["maps"])
