"""What a class is asked: phones see no answer, the model answers what its picture shows, the clicker asks."""

import json
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import explorer
from explorer.analysis.attention import weights
from explorer.errors import TextError
from explorer.room.questions import own_question, question_of_line
from explorer.room.store import Store
from explorer.views.continuations.session import RUN
from explorer.views.frame.lecture import lecture
from explorer.views.frame.polls import class_room
from explorer.views.masked.next_sentence import NONE
from tests.views.frame.lecture.test_lecture_library import STOPS
from tests.views.opening import at_link, press, said, sent, unopened


@pytest.fixture(autouse=True)
def store(monkeypatch, tmp_path):
    rooms = Store(tmp_path / "rooms.sqlite")
    monkeypatch.setattr(class_room, "store", lambda: rooms)
    return rooms


@pytest.fixture
def asked(monkeypatch) -> list:
    """What is asked, in place of asking it."""
    polls: list = []
    monkeypatch.setattr(class_room, "ask", lambda poll: polls.append(poll.computed()))
    return polls


def before_a_class(page: str, **link: str) -> AppTest:
    """A page while a room is open."""
    at = unopened(f"pages/{page}.py")
    at.session_state["/room"] = class_room.Room(*class_room.store().open_room())
    at_link(at, link).run()
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


def nearest(at: AppTest) -> str:
    return sent(at, "bars")[0]["rows"][0]["token"]


def looked_up(at: AppTest) -> dict[str, float]:
    return {f"{row['probability']:.4g}": 1 for row in sent(at, "bars")[-1]["rows"] if row["pinned"]}


def suspected(at: AppTest) -> dict[str, float]:
    words = sent(at, "real_or_replaced")[0]["words"]
    return {str(place): word["bars"][0]["share"] for place, word in enumerate(words)}


def attended(at: AppTest) -> dict[str, float]:
    head = weights.head_view(explorer.load("bert").trace(IT), layer=3, head=1)
    return {str(i): float(p) for i, p in enumerate(head.pattern[head.tokens.index("it"), 1:-1])}


def follows(at: AppTest) -> str:
    pairs = re.findall(r'title="(.*?): follows with probability (.*?)"', said(at))
    line, probability = max(pairs, key=lambda pair: float(pair[1]))
    return line if float(probability) > 0.5 else NONE


def written(pattern: str):
    return lambda at: re.search(pattern, said(at))[1]


def thrown(at):
    """The share of the numbers of each word."""
    shares = re.findall(r'title="([\d.]+)%"><td>[^<]*</td><td translate="no">(\w+)', said(at))
    return {word: float(share) / 100 for share, word in shares}


BARS = rows("bars", "token", "probability")
EXPECTED = rows("bilm", "word", "probability", lambda data: data["guesses"]["forward"][5])
CHANCES = rows("pipeline", "token", "chance")
CLASSES = rows("verdict", "name", "share", lambda data: data["texts"][0]["rows"])
SENSE = written("Nearest to <b>(.*?)</b>")
ANSWERS = rows("answer", "text", "share", lambda data: data["answers"])
PREDICT = {"beside": "false", "probe": "clinic", "text": "He gave the [MASK] a bone.", "words": '["dog"]'}
WRITE = {"view": "write", "model": "gpt", "length": "1"}
THROW = {"view": "dice", "model": "gpt"}
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
        ("masked", ONE, "choice", "Which sentence does BERT take for the next one", follows),
        ("masked", {"view": "replaced", "shown": "true"}, "token", "Which word was replaced", suspected),
        ("sides", {}, "word", "Which word comes next", EXPECTED),
        ("continuations", WRITE, "word", "Which word comes next", CHANCES),
        (
            "continuations",
            THROW,
            "word",
            "Which word comes next",
            thrown,
        ),
        ("finetuning", {}, "choice", "Which of these fits this text", CLASSES),
        ("finetuning", {"view": "answers"}, "free", "Who patented", ANSWERS),
        ("attention", {"text": IT}, "token", "Which word does “it” stand for", attended),
        ("attention", {"text": IT}, "number", "How many tokens", lambda at: "14"),
        ("senses", NEW, "choice", "Which sense of “bank” is nearest here, for BERT", SENSE),
        ("models", {"view": "card"}, "number", "How many million", written(r"parameters</dt><dd>([\d.]+)")),
    ],
)
def test_a_view_asks_and_its_model_answers_as_its_picture(asked, page, link, kind, question, picture):
    at = before_a_class(page, **link)
    (button,) = (key for text, key in offered(at).items() if text.startswith(question))
    shown = picture(at)
    at.button(key=button).click().run()
    (poll,) = asked
    assert poll.question.kind == kind and shown and poll.who
    assert picture is suspected or sum(poll.model.values()) <= 1 + 1e-6
    if isinstance(shown, str):  # what is no probability is never a share: it is the right answer
        assert poll.truth == shown and not poll.model
        return
    assert {answer: poll.model.get(answer) for answer in shown} == pytest.approx(shown, abs=1e-4)
    if kind == "word":
        assert not {poll.truth, next(iter(shown))} & set(re.findall(r"\w+", poll.question.context))
    if kind in ("choice", "token"):
        choices = poll.question.choices
        assert set(poll.model) <= set(choices if kind == "choice" else map(str, range(len(choices))))


def test_what_a_head_does_is_asked_with_the_best_heads_share(asked):
    at = before_a_class("heads", view="kinds")
    at.button(key="room/ask/0").click().run()
    best = sent(at, "ranking")[0]["rows"][0]["value"]
    assert asked[0].question.context == "Object (obj)"
    assert float(asked[0].truth) == pytest.approx(best, abs=1e-4)


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


ASKING = [stop for (stop,) in (one.values for one in STOPS) if stop.poll and not stop.poll.choices]


@pytest.mark.slow
@pytest.mark.parametrize("stop", {(stop.poll.text, str(stop.link)): stop for stop in ASKING}.values())
def test_a_stop_without_choices_asks_in_the_words_of_its_view(stop):
    assert stop.poll.text in offered(before_a_class(stop.page, **stop.link))


@pytest.fixture
def on_stage(store):
    """Opens the stops of a text in presenter mode, before a class; gives the page and its room."""

    def begin(text: str, has_room: bool = True) -> tuple[AppTest, class_room.Room | None]:
        at = unopened()
        at.switch_page("pages/vectors.py").run()
        at.text_area(key="/lecture/pasted").set_value(text).run()
        room = class_room.Room(*store.open_room()) if has_room else None
        if room:
            at.session_state["/room"] = room
        at.query_params["present"] = "1"
        at.run()
        press(at, "present/PageDown")
        return at, room

    return begin


STOP = "* [Near](/vectors?view=neighbours&word=rain)\n"
NEAR = f"{STOP}  * Ask: What else?\n  * Poll: Which word is nearest to “rain”?\n"
WRITES = "* [On](/continuations?view=write&model=gpt&length=1)\n  * Poll: Which word comes next?\n"
ON = "* [On](/vectors?view=neighbours&word=snow)"


def state(at: AppTest) -> str:
    """What stands on the stage."""
    assert not at.exception
    return sent(at, "pager")[-1]["stage"]


def is_covered(at: AppTest) -> bool:
    return "--rb-asked: 1" in said(at)


def test_the_clicker_goes_through_all_states_of_a_stop_and_back(store, on_stage):
    at, room = on_stage(NEAR + ON)
    assert state(at) == "asked" and is_covered(at) and store.newest(room.code) is None
    assert "rb-large" in said(at) and room.code in said(at)
    for expected, is_hidden in (("open", True), ("closed", True), ("class", True), ("model", False)):
        press(at, "present/PageDown")
        assert (state(at), is_covered(at)) == (expected, is_hidden)
        if expected == "open":
            question = store.newest(room.code)
            store.answer(room.code, question.id, "phone", "snow")
    assert sent(at, "strip")[0]["name"] == "snow" and not sent(at, "answers"), "folded"
    assert 'class="rb-question"' in said(at) and said(at).count("Which word is nearest to “rain”?") == 1
    for expected in ("class", "closed", "open", "asked"):
        press(at, "present/PageUp")
        assert state(at) == expected and is_covered(at)
    press(at, "present/PageDown")
    newest = store.newest(room.code)
    assert (newest.id, newest.count, newest.state) == (question.id, 1, "open"), "with the answer that it has"
    for _ in range(3):
        press(at, "present/PageDown")
    press(at, "present/PageDown")
    assert at.session_state["/lecture/at"] == 1 and not sent(at, "strip"), "the next stop has no strip"
    press(at, "present/PageUp")
    assert state(at) == "model" and sent(at, "strip"), "the stop before has its own again"


def test_a_text_that_is_still_being_written_is_asked_whole(on_stage):
    at, _ = on_stage(WRITES, has_room=False)
    assert state(at) == "asked" and "rb-large rb-sentence" in said(at)


@pytest.mark.parametrize(
    ("stop", "context", "has_model"),
    [
        ("/finetuning?view=sentence", "Claim your free phone", False),  # the head has learnt nothing yet
        ("/heads?view=off", "closed [MASK] eyes", False),
        ("/attention?view=compare", "because it was too wide", False),
    ],
)
def test_a_stop_asks_with_what_its_picture_shows(store, on_stage, stop, context, has_model):
    question = "Which of these fits this text?" if "fine" in stop else "Will it know? yes, no"
    at, room = on_stage(f"* [A stop]({stop})\n  * Poll: {question}\n{ON}")
    press(at, "present/PageDown")
    newest = store.newest(room.code)
    assert context in newest.question.context and bool(json.loads(newest.model)["model"]) == has_model


def test_a_class_is_asked_again_by_a_key_and_its_dots_have_moved(store, on_stage):
    at, room = on_stage(NEAR + ON)
    answers = (("snow", "winds", "snow"), ("winds", "snow", "snow"))
    for number, words in enumerate(answers):
        if number:
            press(at, "present/again")
        else:
            press(at, "present/PageDown")
        assert state(at) == "open" and is_covered(at)
        newest = store.newest(room.code)
        for phone, word in enumerate(words):
            store.answer(room.code, newest.id, f"phone {phone}", word)
        press(at, "present/PageDown")
        press(at, "present/PageDown")
        assert state(at) == "class"
    [data] = sent(at, "answer_dots")
    snow, winds, right = ((row["name"], row["counts"]) for row in data["names"])
    assert (snow, winds, right[1]) == (("snow", "2 → 2"), ("winds", "1 → 1"), "0 → 0")
    assert {dot["tip"] for dot in data["dots"]} == {"snow → winds", "winds → snow", "snow → snow"}
    assert sum(dot["from"] != [dot["at"], dot["level"]] for dot in data["dots"]) == len(data["pale"]) == 2
    says = f"0 of 3 → 0 of 3 say “{right[0]}”."
    assert says in said(at) and says in store.newest(room.code).reveal
    press(at, "present/PageDown")
    assert state(at) == "model" and not any(button.key == "present/again" for button in at.button)


def test_without_a_room_the_model_follows_on_the_question(on_stage):
    at, _ = on_stage(NEAR + ON, has_room=False)
    assert state(at) == "asked" and "rb-large" in said(at) and '<p class="rb-way-in"' not in said(at)
    press(at, "present/PageDown")
    assert state(at) == "model" and not is_covered(at)
    press(at, "present/PageDown")
    assert at.session_state["/lecture/at"] == 1 and state(at) == "model", "it asks nothing"


@pytest.mark.parametrize(
    ("lines", "truth", "taste"),
    [
        ("Poll: Is it wet? yes, no\n  * Answer: Yes", "yes", False),
        ("Poll: Is it wet? yes, no\n  * Answer: none", "", True),
        ("Poll: Is it wet? yes, no", "", False),
        ("Poll: Which word is it?\n  * Answer: rain", "rain", False),
    ],
)
def test_a_stop_names_the_right_answer(store, on_stage, lines, truth, taste):
    at, room = on_stage(f"{STOP}  * {lines}\n{ON}")
    press(at, "present/PageDown")
    poll = json.loads(store.newest(room.code).model)
    assert (poll["truth"], poll["taste"]) == (truth, taste)


def test_an_answer_that_is_no_choice_is_named_and_an_answer_is_written_back():
    stops = "* [Near](/vectors)\n  * Poll: Is it wet? yes, no\n  * Answer: {}"
    items = lecture.read(stops.format("maybe"), {"vectors": "Words"})
    assert "“maybe” is none of its choices: yes, no" in lecture.problems(items) and not items[0].answer
    items = lecture.read(stops.format("no"), {"vectors": "Words"})
    assert not lecture.problems(items) and items[0].answer == "no"
    assert lecture.read(lecture.write(items), {"vectors": "Words"}) == items


def test_stage_and_phones_ask_the_same(on_stage):
    at, _ = on_stage(NEAR + ON)
    assert "What else?" not in said(at) and "Which word is nearest to “rain”?" in said(at)


def test_what_is_asked_outside_of_a_lecture_is_covered_until_the_reveal(store):
    at = before_a_class("masked", **ONE)
    assert not is_covered(at)
    at.button(key=next(iter(offered(at).values()))).click().run()
    assert is_covered(at)
    for key, is_hidden in (("poll/close", True), ("poll/reveal", False)):
        at.button(key=key).click().run()
        assert is_covered(at) is is_hidden
    at.text_input(key="/room/own").set_value("Who is hungry?").run()
    at.button(key="room/ask-own").click().run()
    assert not is_covered(at), "it is not about the picture"


def test_a_question_waits_until_the_model_has_written(monkeypatch, store):
    at = before_a_class("continuations", view="write", model="gpt")
    run = at.session_state[RUN]
    run.paused, run.sampling = False, replace(run.sampling, max_new_tokens=len(run.generation.steps) + 1)
    assert run.going
    at.run()
    code = at.session_state["/room"].code
    at.button(key=offered(at)["Which word comes next?"]).click().run()
    assert store.newest(code) is None
    at.session_state[RUN].paused = True
    at.run()
    newest = store.newest(code)
    assert newest is not None and newest.question.context.endswith(" …")


def test_once_a_button_is_pressed_the_step_that_was_clicked_is_asked_about_no_longer(asked):
    at = before_a_class("continuations", view="write", model="gpt", token="0", length="9")
    run = at.session_state[RUN]
    while run.going:
        run.grow()
    for run.pressed in (False, True):
        at.button(key=offered(at)["Which word comes next?"]).click().run()
    clicked, newer = (len(poll.question.context) for poll in asked)
    assert newer > clicked


def test_the_press_that_shows_the_picture_starts_its_training(on_stage):
    at, _ = on_stage("* [Train](/vectors?view=train)\n  * Ask: Which words will move?", has_room=False)
    assert sent(at, "train_row")[0]["button"] == "Train"
    press(at, "present/PageDown")
    assert sent(at, "train_row")[-1]["going"]
    press(at, "present/PageUp")
    assert is_covered(at)


@pytest.mark.parametrize("part", ["throw", "guess"])
def test_the_press_that_shows_the_picture_takes_the_word_of_the_class(store, on_stage, part):
    stop = f"* [On](/continuations?view=dice&part={part}&model=gpt)\n  * Poll: Which word comes next?\n"
    at, room = on_stage(stop + ON)
    press(at, "present/PageDown")
    store.answer(room.code, store.newest(room.code).id, "phone", "violin")
    for _ in range(3):
        press(at, "present/PageDown")
    assert state(at) == "model"
    assert "violin" in (json.dumps(sent(at, "token_strip")) if part == "throw" else said(at))
    at.button(key="guess/ask" if part == "guess" else "dice/word").click().run()
    for phone, word in enumerate(["harp", "horn"]):
        store.answer(room.code, store.newest(room.code).id, str(phone), word)
    for _ in range(3):
        press(at, "present/PageDown")
    if part == "guess":
        assert state(at) == "model" and "a tie: harp, horn" in said(at)
    else:
        assert len([each for each in sent(at, "token_strip")[-1]["tokens"] if "title" in each]) == 2


@pytest.mark.parametrize("part", ["throw", "guess"])
def test_without_a_room_the_press_that_shows_the_picture_throws_or_shows_the_word(on_stage, part):
    stop = f"* [On](/continuations?view=dice&part={part}&model=gpt)\n  * Poll: Which word comes next?\n"
    at, _ = on_stage(stop + ON, has_room=False)
    for _ in range(2):  # to cover it again throws no second time
        press(at, "present/PageDown")
        assert "<small>Thrown</small>" in said(at) if part == "throw" else "<mark>" in said(at)
        press(at, "present/PageUp")
    if part == "throw":
        assert len([each for each in sent(at, "token_strip")[-1]["tokens"] if "title" in each]) == 1


def test_the_press_that_shows_the_picture_steers_with_what_the_class_wrote(store, on_stage, monkeypatch):
    """A sentence that the teacher takes out is out; a side for which there is none keeps its list."""
    stop = "* [On](/why?view=steer&model=gpt&beginning=We&toward=a b%0Ac d&away=e f&more=sea&less=city)\n"
    at, room = on_stage(f"{stop}  * Poll: A sentence of your own: city or sea?\n" + ON)
    press(at, "present/PageDown")
    number = store.newest(room.code).id
    for phone, sentence in enumerate(["1 We swam.", "1 They sailed on."]):
        store.answer(room.code, number, str(phone), sentence)
    for _ in range(2):
        press(at, "present/PageDown")
    monkeypatch.setitem(at.session_state["/room/merged"], number, {"1 we swam": ""})
    for key in ("PageUp", "PageDown", "PageDown"):
        press(at, f"present/{key}")
    boxes = {data["label"]: data["text"] for data in sent(at, "text_box")}
    assert (boxes["Less like these"], boxes["More like these"]) == ("e f", "They sailed on.")


def test_the_name_that_comes_back_is_asked_with_what_the_model_writes(asked):
    at = before_a_class("continuations", view="look-back", model="gpt")
    at.button(key=offered(at)["Which word comes next?"]).click().run()
    [poll] = asked
    written = "".join(each["text"] for each in sent(at, "looking_back")[-1]["tokens"])
    assert poll.truth and f"Aunt {poll.truth}" in written and not poll.model
    assert poll.question.context.endswith("Every Sunday Aunt …")


def test_the_class_is_asked_from_the_pattern_that_is_drawn(monkeypatch):
    layers, real = [], weights.patterns
    monkeypatch.setattr(weights, "patterns", lambda *of, **how: layers.append(of[1:]) or real(*of, **how))
    before_a_class("attention", text="The ferry left while they slept.", by_values="true")
    assert len([of for of in layers if of]) == 1, "the wall's are of all layers"
