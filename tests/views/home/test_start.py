"""The start page: its stored example is true, its presets make their points, it survives bad input."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import explorer
from explorer.analysis import prediction
from explorer.views.home.presets import PRESETS
from tests.views.opening import defaults
from training.stored import FILE, TEXT, example

DEFAULTS = defaults("home")

ROOT = Path(__file__).parents[3]


def test_the_stored_example_is_what_the_model_says_now():
    stored, live = json.loads(FILE.read_text()), example()
    assert stored["text"] == live["text"] == TEXT == DEFAULTS["text"]
    assert [row["token"] for row in stored["rows"]] == [row["token"] for row in live["rows"]]
    for old, new in zip(stored["rows"], live["rows"]):
        assert old["probability"] == pytest.approx(new["probability"], abs=2e-3)


@pytest.mark.parametrize(("preset", "promised"), list(zip(PRESETS, ["money", "river", "were"])), ids=str)
def test_each_preset_makes_its_point(preset, promised):
    text = preset.values.get("text", DEFAULTS["text"])
    top_five = [word for word, _ in prediction.fill_mask(explorer.load("bert"), text, top=5)[0]]
    assert promised in top_five, top_five


def test_the_plural_verb_beats_the_singular_one():
    model = explorer.load("bert")
    blanks = prediction.blanks(model, PRESETS[2].values["text"])
    are, is_, were, was = (
        prediction.probe(model, blanks, w).probability for w in ("are", "is", "were", "was")
    )
    assert are > is_ and were > was


def test_the_page_runs_under_app_and_alone():
    for at in (AppTest.from_file(str(ROOT / "app.py")), AppTest.from_file(str(ROOT / "pages" / "home.py"))):
        at.run(timeout=30)
        assert not at.exception
        assert at.title[0].value == "Start here"


def test_a_text_without_a_blank_says_what_to_do():
    at = AppTest.from_file(str(ROOT / "pages" / "home.py"))
    at.query_params["text"] = "No blank here."
    at.run(timeout=30)
    assert not at.exception
    assert any("[MASK]" in line.value for line in at.text)
