"""A lecture that the server was started with is in every visit, until the visitor puts it away."""

from explorer.commands.cli import LECTURE_VARIABLE
from tests.views.opening import opened


def test_it_is_there_from_the_first_page(tmp_path, monkeypatch):
    file = tmp_path / "lecture.md"
    file.write_text("# Words\n[Ours <b>](/senses?layer=6)")
    monkeypatch.setenv(LECTURE_VARIABLE, str(file))
    at = opened("home")
    assert at.button(key="lecture/stop/0").label == "Ours \\<b\\>"
    at.button(key="lecture/away").click().run()
    assert "/lecture" not in at.session_state


def test_a_file_that_has_gone_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv(LECTURE_VARIABLE, str(tmp_path / "gone.md"))
    at = opened("home")
    assert not at.exception
    assert any("gone.md cannot be read" in text.value for text in at.text)


def test_a_file_without_links_is_named(tmp_path, monkeypatch):
    file = tmp_path / "lecture.md"
    file.write_text("No link.")
    monkeypatch.setenv(LECTURE_VARIABLE, str(file))
    assert any("No link in this text" in text.value for text in opened("home").text)
