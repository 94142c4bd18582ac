"""What a class is asked: phones see no answer, the model answers what its picture shows, the clicker asks."""

import re

import pytest
from streamlit.testing.v1 import AppTest

import explorer
from explorer.analysis.attention.weights import head_view
from explorer.errors import TextError
from explorer.room.questions import own_question, question_of_line
from explorer.room.store import Store
from explorer.views.frame.lecture import lecture
from explorer.views.frame.polls import class_room
from tests.views.frame.lecture.test_lecture_library import STOPS
from tests.views.opening import PAGES, press, said, sent


@pytest.fixture(autouse=True)
def store(monkeypatch, tmp_path):
    rooms = Store(tmp_path / "rooms.sqlite")
    monkeypatch.setattr(class_room, "store", lambda: rooms)
    return rooms


def before_a_class(page: str, **link: str) -> AppTest:
    """A page while a room is open."""
    at = AppTest.from_file(str(PAGES / f"{page}.py"), default_timeout=90)
    for name, value in link.items():
        at.query_params[name] = value
    at.session_state["/room"] = class_room.Room(*class_room.store().open_room())
    at.run().run()
    assert not at.exception
    return at


def offered(at: AppTest) -> dict[str, str]:
    """The keys of the buttons that ask, by the questions."""
    keys = [button for button in at.button if str(button.key).startswith("room/ask/")]
    return {re.sub(r"\\(.)", r"\1", button.label.removeprefix("Ask: ")): button.key for button in keys}


def rows(component: str, name: str, number: str, find=lambda data: data["rows"]):
    """The answers in a list of the picture."""
    return lambda at: {
        row[name].strip(): row[number] for row in find(sent(at, component)[-1]) if not row.get("pinned")
    }


def nearest(at: AppTest) -> dict[str, float]:
    return {sent(at, "bars")[0]["rows"][0]["token"]: 1}


def looked_up(at: AppTest) -> dict[str, float]:
    return {f"{row['probability']:.4g}": 1 for row in sent(at, "bars")[-1]["rows"] if row["pinned"]}


def suspected(at: AppTest) -> dict[str, float]:
    shares = [word["bars"][0]["share"] for word in sent(at, "real_or_replaced")[0]["words"]]
    return {str(shares.index(max(shares))): max(shares)}


def attended(at: AppTest) -> dict[str, float]:
    head = head_view(explorer.load("bert").trace(IT), layer=3, head=1)
    return {str(i): float(p) for i, p in enumerate(head.pattern[head.tokens.index("it"), 1:-1])}


def follows(at: AppTest) -> dict[str, float]:
    return {
        line: float(p) for line, p in re.findall(r'title="(.*?): follows with probability (.*?)"', said(at))
    }


def written(pattern: str):
    return lambda at: {re.search(pattern, said(at))[1]: 1}


BARS = rows("bars", "token", "probability")
EXPECTED = rows("bilm", "word", "probability", lambda data: data["guesses"]["forward"][5])
CHANCES = rows("pipeline", "token", "chance")
CLASSES = rows("verdict", "name", "share", lambda data: data["texts"][0]["rows"])
PREDICT = {"beside": "false", "probe": "clinic", "text": "He gave the [MASK] a bone.", "words": '["dog"]'}
GUESS = {"view": "guess", "model": "gpt", "rounds": "[[4,null]]"}
NEW = {"view": "map", "word": "bank", "new": "He rowed to the bank of the lake."}
ONE = {"view": "next", "seconds": "The beach was full of people."}
IT = "The animal didn't cross the street because it was too tired."


@pytest.mark.parametrize(
    ("page", "link", "kind", "question", "picture"),
    [
        ("home", {"text": "It lent us [MASK].", "hidden": "money"}, "word", "Which word fills the gap", BARS),
        ("vectors", {"view": "neighbours"}, "word", "Which word is nearest to “king”", nearest),
        ("vectors", {"view": "analogies"}, "word", "What is king minus man plus woman", nearest),
        ("masked", PREDICT, "word", "Which word fills the blank", BARS),
        ("masked", PREDICT, "number", "How probable is “clinic”", looked_up),
        ("masked", ONE, "choice", "Which sentence comes next", follows),
        ("masked", {"view": "replaced", "shown": "true"}, "token", "Which word was replaced", suspected),
        ("sides", {}, "word", "Which word comes next", EXPECTED),
        ("continuations", {"view": "write", "model": "gpt"}, "word", "Which word comes next", CHANCES),
        ("continuations", GUESS, "word", "Which word comes next", BARS),
        ("finetuning", {}, "choice", "Which of these fits this text", CLASSES),
        ("attention", {"text": IT}, "token", "Which word does “it” stand for", attended),
        ("attention", {"text": IT}, "number", "How many tokens", lambda at: {"14": 1}),
        ("senses", NEW, "choice", "Which sense does “bank” have", written("Nearest to <b>(.*?)</b>")),
        ("models", {"view": "curves"}, "number", "How many million", written(r"parameters</dt><dd>([\d.]+)")),
    ],
)
def test_a_view_asks_and_its_model_answers_as_its_picture(monkeypatch, page, link, kind, question, picture):
    asked = []
    monkeypatch.setattr(class_room, "ask", asked.append)
    at = before_a_class(page, **link)
    (button,) = (key for text, key in offered(at).items() if text.startswith(question))
    shown = picture(at)
    at.button(key=button).click().run()
    (poll,) = asked
    assert poll.question.kind == kind and shown and poll.who and sum(poll.model.values()) <= 1 + 1e-6
    assert {answer: poll.model.get(answer) for answer in shown} == pytest.approx(shown, abs=1e-4)
    if kind == "word":
        assert not {poll.truth, next(iter(shown))} & set(re.findall(r"\w+", poll.question.context))
    if kind in ("choice", "token"):
        choices = poll.question.choices
        assert set(poll.model) <= set(choices if kind == "choice" else map(str, range(len(choices))))


@pytest.mark.parametrize(
    ("choices", "names"),
    [("", ()), ("a dog, a car", ("a dog", "a car")), ("yes, now\n no \n\nno", ("yes, now", "no"))],
)
def test_a_question_of_ones_own_has_two_to_six_choices_or_none(choices, names):
    assert own_question("Which one?", choices).choices == names


@pytest.mark.parametrize(
    ("line", "says"),
    [("Which? one", "not 1"), ("Which? 1,2,3,4,5,6,7", "not 7"), (" ", "1 to 200"), ("a" * 301, "300")],
)
def test_a_line_that_cannot_be_asked_is_named(line, says):
    items = lecture.read(f"[Rain](/vectors)\n* Poll: {line}\n* See: Wet.", {"vectors": "Words"})
    assert lecture.problems(items).startswith("Line 2: ") and says in lecture.problems(items)
    assert items[0].poll is None and items[0].notes == ("See: Wet.",)
    with pytest.raises(TextError):
        question_of_line(line)


@pytest.mark.slow
@pytest.mark.parametrize("stop", STOPS)
def test_a_stop_asks_in_the_words_of_its_view_or_has_choices(stop):
    if stop.poll and not stop.poll.choices and stop.text != "Train it live":  # where any word is an answer
        assert stop.poll.text in offered(before_a_class(stop.page, **stop.link))


def test_the_clicker_asks_closes_and_reveals_a_stop_before_it_goes_on(store):
    at = AppTest.from_file(str(PAGES.parent / "app.py"), default_timeout=90)
    at.switch_page("pages/vectors.py").run()
    stops = (
        "* [Near](/vectors?word=rain)\n  * Poll: Which word is nearest to “rain”?\n* [On](/vectors?word=snow)"
    )
    at.text_area(key="/lecture/pasted").set_value(stops).run()
    at.session_state["/room"] = room = class_room.Room(*store.open_room())
    at.query_params["present"] = "1"
    at.run()
    press(at, "present/PageDown")
    assert at.session_state["/lecture/at"] == 0 and store.newest(room.code) is None
    for state, shown in (("open", 0), ("closed", 0), ("shown", 1)):
        press(at, "present/PageDown")
        assert (store.newest(room.code).state, at.session_state["/lecture/shown"]) == (state, shown)
    assert store.newest(room.code).question.kind == "word", "the view's own question"
    press(at, "present/PageUp")
    assert at.session_state["/lecture/shown"] == 0, "covered again"
    press(at, "present/PageDown"), press(at, "present/PageDown")
    assert at.session_state["/lecture/at"] == 1 and 'class="rb-question-asked"' not in said(at)


def test_the_name_that_comes_back_is_asked_with_what_the_model_writes(monkeypatch):
    asked = []
    monkeypatch.setattr(class_room, "ask", asked.append)
    at = before_a_class("continuations", view="look-back", model="gpt")
    at.button(key=offered(at)["Which word comes next?"]).click().run()
    [poll] = asked
    written = "".join(each["text"] for each in sent(at, "looking_back")[-1]["tokens"])
    assert poll.truth and f"Aunt {poll.truth}" in written and not poll.model
    assert poll.question.context.endswith("Every Sunday Aunt …")
