"""The files of what the views say."""

import pytest

from explorer.assets import VIEWS
from explorer.errors import ExplorerError
from explorer.views.frame import view_text
from explorer.views.frame.navigation import pages

GOOD = '[count]\nlabel = "Letters"\nsee = "A line."\nthen = "Type."\n'


def test_each_file_is_that_of_a_page():
    assert {path.stem for path in VIEWS.iterdir()} == {page.name for page in pages()}


def test_a_reading_of_its_own_has_the_rest_from_the_view(tmp_path, monkeypatch):
    monkeypatch.setattr(view_text.assets, "VIEWS", tmp_path)
    more = 'caveat = "None."\n[count.readings.long]\nreading = "{words} words."\n[count.gpt]\nsee = "Two."'
    (tmp_path / "letters.toml").write_text(GOOD + more)
    monkeypatch.setattr(view_text, "WRITER", "smollm2")
    text = view_text.view_text("letters", "count")
    assert text.first == ("A line.", "Type.") and text.reading == ("", "None.")
    assert text.readings["long"].filled(words=12) == ("12 words.", "None.")
    monkeypatch.setattr(view_text, "WRITER", "gpt")
    assert view_text.view_text("letters", "count").first.see == "Two."


@pytest.mark.parametrize("text", ["[count", "[other]", GOOD + "lable = 1", GOOD + 'formulas = ["none"]'])
def test_a_file_that_is_damaged_is_named(text, tmp_path, monkeypatch):
    monkeypatch.setattr(view_text.assets, "VIEWS", tmp_path)
    (tmp_path / "wrong.toml").write_text(text)
    with pytest.raises(ExplorerError, match=r"wrong\.toml"):
        view_text.view_text("wrong", "count")
