"""A lecture as one web page: its stops with their questions, and what becomes of those that fail."""

import json
import re
import sys
from pathlib import Path

import pytest

from explorer.commands import cli
from explorer.commands.cli import LECTURE_VARIABLE
from explorer.errors import ExplorerError, TextError
from explorer.files import writing
from explorer.server import hosts
from explorer.views.frame.lecture import handout, handout_process
from explorer.views.frame.lecture.handout import question_of
from explorer.views.frame.lecture.lecture import Item
from explorer.views.frame.polls.poll import Poll, Question
from tests.views.opening import opened
from tests.waiting import until

LECTURE = """# Three views

* [How it is cut](/tokens?view=cut&text=a </script><b>{long}</b> كلب)
  * Say: Pieces < words.
  * Poll: How many pieces are there? two, three
  * Answer: three
  * See: Pieces.
* [It fails](/masked?text=The [MASK].&model=folder:/not/here)
* [Vectors](/vectors?view=one-hot)
"""


def test_a_stop_that_fails_is_named_and_the_others_are_written():
    written = handout.handout(LECTURE.format(long="word " * 900))
    assert written.stops == 3 and len(written.problems) == 1
    assert written.problems[0].startswith("Stop 2, “It fails”: ")
    page = written.html
    assert page.count('<section class="stop"') == 3 and page.count("could not be recorded") == 1
    assert "<b>word" not in page and "Pieces &lt; words." in page
    assert page.count("<script") == page.count("</script>")
    (questions,) = re.findall(r'id="questions">(.*?)</script>', page)
    first = json.loads(questions)[0]
    assert (first["kind"], first["choices"], first["right"]) == ("choice", ["two", "three"], 1)
    assert first["says"] == "The answer is “three”."


@pytest.mark.parametrize(
    ("poll", "right", "says"),
    [
        (Poll(Question("word", "Which?"), {"Bank": 0.5}, who="BERT"), "bank", "BERT says “Bank” (50%)."),
        (Poll(Question("token", "Which?", choices=("A", "dog")), truth="1"), 1, "The answer is “dog”."),
        (Poll(Question("number", "How many?", high=9), truth="4"), "4", "The answer is “4”."),
        (Poll(Question("choice", "Why?", choices=("a", "b")), {"a": 0.9}, taste=True), "", ""),
    ],
)
def test_each_kind_of_question_has_its_answer(poll, right, says):
    stop = Item("A stop", page="masked", link={}, notes=(f"Poll: {poll.question.text}",))
    question = question_of(stop, [poll])
    assert question is not None and (question["right"], question["says"]) == (right, says)


def test_what_cannot_be_written_is_said_in_a_line_and_leaves_nothing(tmp_path, monkeypatch):
    with pytest.raises(ExplorerError, match="There is no file nowhere"):
        handout.text_of("nowhere.md")
    assert handout.text_of("five-pictures").startswith("# ")
    with pytest.raises(TextError, match="No link in this text"):
        handout.handout("Nothing.")

    def full(path: Path, *_, **__) -> None:
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(handout, "handout", lambda *_: handout.Handout("<p>", 1, []))
    monkeypatch.setattr(writing.Path, "write_text", full)
    for path, says in (("a.html", "disk is full"), ("none/a.html", "no folder"), (".", "is a folder")):
        with pytest.raises(ExplorerError, match=says):
            handout.main("five-pictures", tmp_path / path)
    assert list(tmp_path.iterdir()) == []


def finished(writing: handout_process.HandoutProcess) -> handout_process.HandoutProcess:
    until(lambda: not writing.going, 60)
    return writing


def test_a_process_writes_one_page_at_a_time_and_says_what_went_wrong(monkeypatch):
    def run_with(code: str) -> None:
        monkeypatch.setattr(handout_process, "COMMAND", [sys.executable, "-c", f"import sys, time; {code}"])

    monkeypatch.setattr(handout_process, "free_bytes", lambda: 10**9)
    with pytest.raises(ExplorerError, match="takes 3 GB of memory"):
        handout_process.begin("# A")
    monkeypatch.setattr(handout_process, "free_bytes", lambda: None)
    run_with("time.sleep(60)")
    first = handout_process.begin("# A")
    with pytest.raises(ExplorerError, match="another lecture"):
        handout_process.begin("# B")
    first.stop()
    assert finished(first).page == b""
    run_with("sys.exit('No link.')")
    assert finished(handout_process.begin("# A")).notes == "No link."


def test_whoever_sits_at_the_server_has_it_written_and_saves_it(tmp_path, monkeypatch):
    code = (
        "import sys; print('Stop 1 of 1'); open(sys.argv[3], 'w').write('<p>')\n"
        "print(sys.argv[3] + ': 1 stop'); print('Stop 1 failed')"
    )
    monkeypatch.setattr(handout_process, "COMMAND", [sys.executable, "-c", code])
    monkeypatch.setattr(handout_process, "free_bytes", lambda: None)
    file = tmp_path / "lecture.md"
    file.write_text("# Words\n[Ours](/vectors)")
    monkeypatch.setenv(LECTURE_VARIABLE, str(file))
    at = opened("home")
    at.button(key="lecture/handout/begin").click().run()
    writing = finished(at.session_state["/handout"])
    assert (writing.page, writing.progress, writing.notes) == (b"<p>", "Stop 1 of 1", "Stop 1 failed")
    at.run()
    assert "Save the page · 0.1 MB" in [button.label for button in at.get("download_button")]
    at.button(key="lecture/away").click().run()
    assert writing.page == b"" and "/handout" not in at.session_state
    monkeypatch.setattr(hosts, "at_this_computer", lambda _: False)
    assert "lecture/handout/begin" not in [button.key for button in opened("home").button]


def test_the_command_is_one_of_riverbanks(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["riverbank"])
    monkeypatch.setenv(cli.COMMAND, "")
    with pytest.raises(SystemExit, match="There is no file nowhere"):
        cli.main(["handout", "nowhere.md", "-o", "a.html"])
