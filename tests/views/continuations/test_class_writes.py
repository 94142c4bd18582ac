"""The class writes: words typed here, words drawn from a room's answers, and both texts at the end."""

from collections import Counter
from math import log2

import pytest

import explorer
from explorer.analysis.prediction import shannon
from explorer.room import routes
from explorer.room.result import Result
from explorer.room.store import Store
from explorer.views.continuations import page
from explorer.views.continuations.class_writes import (
    GUESSES,
    MOST_WORDS,
    Word,
    draw_word,
    own_words,
    text_after,
)
from explorer.views.frame.polls.class_room import ROOM, Room
from tests.views.continuations.opening import button, component_data, open_
from tests.views.opening import defaults, said, sent

PROMPT = defaults(page.PAGE)["class_prompt"]


def strips(at):
    return [
        [(token["text"], token.get("note", "")) for token in data["tokens"] if not token.get("quiet")]
        for data in sent(at, "token_strip")
    ]


@pytest.mark.parametrize(
    ("word", "text"),
    [("“red”", "boats “red”"), ("$5", "boats $5"), ("5", "boats 5"), (".", "boats."), ("’s", "boats’s")],
)
def test_only_a_punctuation_mark_joins_the_word_before_it(word, text):
    assert text_after("boats", [Word(word, 1, 1, 0)]) == text


def test_after_the_last_word_nothing_offers_to_go_on():
    rows = [["and", 1, 1, 0]] * (MOST_WORDS - 1)
    at = open_("class", model="gpt", class_words=rows)
    at.text_input[0].set_value("so").run()
    assert not at.text_input and "40 words, which is the most" in said(at)
    assert not [each for each in at.button if each.label in ("Go on", "Stop")]


def test_one_person_types_the_words_and_each_has_its_surprise_for_the_model():
    at = open_("class", model="gpt")
    assert "opens a room" in said(at) and strips(at) == [[]]
    at.text_input[0].set_value(" hand ").run()
    assert not at.exception
    spot = shannon.spots(f"{PROMPT} hand")[-1]
    p = shannon.next_word(explorer.load("gpt"), f"{PROMPT} hand", spot, "hand").probability
    assert strips(at) == [[("hand", f"{-log2(p):.1f}")]]
    assert len(component_data(at, "bars")["rows"]) == GUESSES
    button(at, "Stop").click().run()
    _, guesses, alone = strips(at)
    assert len(guesses) == len(alone) == 1 and not at.text_input
    button(at, "Start over").click().run()
    assert strips(at) == [[]]


def test_the_votes_of_a_room_draw_the_words_one_after_the_other(tmp_path, monkeypatch):
    store = Store(tmp_path / "rooms.sqlite")
    monkeypatch.setattr(routes, "store", store)
    here = Room(*store.open_room())
    at = open_("class", model="gpt")
    at.session_state[ROOM] = here
    at.run()
    button(at, "Ask for the next word").click().run()
    question = store.newest(here.code)
    assert question.question.context == PROMPT and question.state == "open"
    button(at, "Take the first").click().run()
    assert strips(at) == [[]], "nobody has answered yet"
    for phone, word in enumerate(["cup", "book", "cup", "Cup"]):
        store.answer(here.code, question.id, str(phone), word)
    button(at, "Take the first").click().run()
    assert not at.exception and strips(at)[0][0][0] == "cup"
    rows = component_data(at, "answers")["rows"]
    assert [(row["name"], row["count"]) for row in rows[:2]] == [("cup", 3), ("book", 1)]
    assert Result.from_json(store.newest(here.code).reveal).rows[0].count == 3, "phones see the votes"
    button(at, "Ask for the next word").click().run()
    assert store.newest(here.code).question.context == f"{PROMPT} cup"
    store.answer(here.code, store.newest(here.code).id, "0", "and")
    button(at, "Draw by the votes").click().run()
    assert [word for word, _ in strips(at)[0]] == ["cup", "and"]
    button(at, "Ask for the next word").click().run()
    button(at, "Stop").click().run()
    assert store.newest(here.code).state == "closed" and "on average" in said(at)


def test_a_word_is_drawn_as_often_as_it_has_votes():
    counts = Counter(draw_word({"bank": 3, "river": 1}, seed) for seed in range(2_000))
    assert 0.72 < counts["bank"] / 2_000 < 0.78


def test_the_models_own_text_has_as_many_words_and_goes_on_from_the_prompt():
    gpt = explorer.load("gpt")
    first = own_words(gpt, "Once upon a time there was a little", 3)
    assert len(first) == 3 and own_words(gpt, "Once upon a time there was a little", 5)[:3] == first


def test_a_link_may_bring_anything():
    rows = [["and", 2, 3, 1], ["x", 5, 3, 0], ["", 1, 1, 0], "no", ["y", 0.5, 1, 0], ["z", 1, 1]]
    at = open_("class", model="gpt", class_words=rows)
    assert [word for word, _ in strips(at)[0]] == ["and"]
    assert text_after("A ", [Word("b", 1, 1, 0), Word(",", 1, 1, 0)]) == "A b,"
