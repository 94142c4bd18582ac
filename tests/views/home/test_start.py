"""The start page: its stored example is true, it survives bad input."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

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
