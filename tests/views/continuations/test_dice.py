"""Dice: throws, a room's words and numbers, the table, the writers and Shannon's game."""

import re
from collections import Counter
from math import log2

import pytest

import explorer
from explorer.analysis.generation import ngrams
from explorer.analysis.prediction import surprisal
from explorer.room import routes
from explorer.room.questions import Question
from explorer.room.store import Store
from explorer.text.spacing import with_words
from explorer.views.continuations import dice, dice_guess, dice_table, dice_writers
from explorer.views.continuations.texts import FABLE, WINTER
from explorer.views.frame.polls.class_room import ROOM, Room
from tests.views.continuations.opening import button, component_data, open_
from tests.views.opening import printed_result, problems, said, sent


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(routes, "store", one := Store(tmp_path / "rooms.sqlite"))
    return one


def in_a_room(store, **link):
    at = open_("dice", model="gpt", **link)
    at.session_state[ROOM] = here = Room(*store.open_room())
    at.run()
    return at, here


def words(at):
    return [token["text"] for token in component_data(at, "token_strip")["tokens"] if not token.get("quiet")]


def score_rows(at):
    rows = re.findall(r"<tr>(.*?)</tr>", said(at).split('class="rb-score">')[1].split("</table>")[0])
    cells = [re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row) for row in rows]
    return [[re.sub(r"<[^>]*>", "", cell) for cell in row] for row in cells]


@pytest.mark.parametrize(
    ("word", "text"),
    [("“red”", "boats “red”"), ("$5", "boats $5"), ("5", "boats 5"), (".", "boats."), ("’s", "boats’s")],
)
def test_only_a_punctuation_mark_joins_the_word_before_it(word, text):
    assert with_words("boats", [word]) == text


def test_a_throw_writes_the_word_of_its_number_and_backs_off_where_the_end_was_never_seen():
    at = open_("dice", model="gpt", start="The fat raven", back=3)
    assert '<li class="never"><span translate="no">“The fat raven”</span><b>never seen' in said(at)
    assert '<li class="used" aria-current="true"><span translate="no">“raven”</span><b>13 times' in said(at)
    result, die = printed_result(at), ngrams.die(ngrams.count(FABLE, 2).following["raven",])
    assert result["numbers"] == {word: (one[0], one[-1]) for word, one in die.numbers.items()}
    button(at, "Throw").click().run()
    (token,) = component_data(at, "token_strip")["tokens"][3:]
    number = int(token["title"].removeprefix("thrown: "))
    assert token["text"] == die.word(number) and token["note"] == "1"
    button(at, "10 throws").click().run()
    first = words(at)
    assert not at.exception and len(first) == 11
    button(at, "Start over").click().run()
    button(at, "10 throws").click().run()
    assert words(at) == first[:10], "the same seed throws the same numbers"


def test_a_room_throws_with_the_sum_of_its_numbers_and_writes_by_its_votes(store):
    at, here = in_a_room(store)
    button(at, "Ask for a number").click().run()
    asked = store.newest(here.code)
    assert (asked.question.high, asked.question.context) == (6, "The raven")
    button(at, "Take the sum").click().run()
    assert "token_strip" not in said(at) and not sent(at, "token_strip"), "nobody has answered yet"
    for phone, number in enumerate(["6", "2", "2"]):
        store.answer(here.code, asked.id, str(phone), number)
    button(at, "Take the sum").click().run()
    die = ngrams.die(ngrams.count(FABLE, 3).following["The", "raven"])
    assert words(at) == [die.word(4)], "6 + 2 + 2 = 10, and 10 − 6 = 4"
    assert f"= 10. 10 − 6 = 4: “{die.word(4)}”." in store.newest(here.code).reveal
    thrown, next_die = said(at).split("<small>Thrown</small>")[1].split("<small>Next</small>")
    assert "After “The raven”" in thrown and f"<b>4</b> {die.word(4)}</strong>" in thrown
    assert thrown.count('class="follower hit"') == 1 and f"After “raven {die.word(4)}”" in next_die
    button(at, "Ask for a word").click().run()
    store.answer(here.code, store.newest(here.code).id, "0", "nothing")
    button(at, "Draw by the votes").click().run()
    assert not at.exception and words(at)[1:] == ["nothing"]
    assert component_data(at, "token_strip")["tokens"][-1]["title"] == "sent by the class"


def test_a_word_is_drawn_as_often_as_it_has_votes():
    counts = Counter(dice.draw_word({"bank": 3, "river": 1}, seed) for seed in range(2_000))
    assert 0.72 < counts["bank"] / 2_000 < 0.78


def test_the_sentences_of_a_class_are_counted(store):
    at, here = in_a_room(store)
    store.ask(here.code, here.secret, Question("free", dice.SENTENCE), "{}")
    for phone, sentence in enumerate(["Our boat is red", "Our dog is old!"]):
        store.answer(here.code, store.newest(here.code).id, str(phone), sentence)
    store.close(*here)
    at.run()
    button(at, "Reveal").click().run()
    button(at, "Take the class’s sentences").click().run()
    assert (
        not at.exception and at.session_state["continuations.own_text"] == "Our boat is red. Our dog is old!"
    )
    assert "After “Our”" in said(at)


def test_the_table_has_every_word_with_its_numbers(monkeypatch):
    table = ngrams.count(FABLE, 2)
    rows = dice_table.rows(table)
    assert sum(count for _, _, count, *_ in rows) == len(ngrams.split(FABLE)) - 1
    page = dice_table.whole(table)
    assert page.count("<strong>") == len({row[0] for row in rows}) and "<b>1–8</b> fox" in page
    monkeypatch.setattr(dice_table, "MOST_LINES", 3)
    assert dice_table.whole(table).count("<strong>") == 3 and "the 3 most frequent of" in dice_table.whole(
        table
    )


def test_tables_and_models_are_measured_on_the_same_text():
    gpt = explorer.load("gpt")
    at = open_("dice", model="gpt", part="writers", new_text=WINTER)
    counted = dice_writers.counted_writers(FABLE, "The raven", WINTER, 0)
    bits = dice_writers.bits_per_word(gpt, WINTER)
    assert bits == pytest.approx(
        sum(one.bits for one in surprisal.of_words(surprisal.read(gpt, WINTER))) / 45, 1e-4
    )
    for one in counted:
        assert f"<span>{one.bits:.1f}</span><span>{one.never:.0%}</span>" in said(at)
        assert len(ngrams.split(one.text)) == dice_writers.WORDS
    assert [one.never for one in counted] == sorted(one.never for one in counted)


def test_the_game_counts_each_side_by_hand():
    rows = [["cat", 0, 4], ["is", 2, 8]]
    at = open_("dice", model="gpt", part="guess", new_text=WINTER, rounds=rows)
    assert "fox <mark>was</mark>" in said(at) and "hungry" not in said(at)
    spots = dice_guess.spots({dice.NEW_TEXT: WINTER})
    gpt = [dice_guess.guess_of(explorer.load("gpt"), WINTER, spot) for spot in spots[:2]]
    mean = -sum(log2(p) for _, p in gpt) / 2
    assert score_rows(at)[0] == ["", "first guess", "gave “was”", "bits a word"]
    assert ["The class", "is", "25%", "2.0"] in score_rows(at), "four answers are too few"
    assert [row[3] for row in score_rows(at) if row[:2] == ["GPT", gpt[1][0]]] == [f"{mean:.1f}"]
    table = ngrams.count(FABLE, 3)
    assert dice_guess.guess_of_table(table, WINTER, spots[1])[1] == table.probability("was", ["the", "fox"])
    at.text_input[0].set_value("hungry").run()
    assert "<mark>hungry</mark>" in said(at) and ["You", "hungry ✓", "100%", "2.0"] in score_rows(at)
    at = open_("dice", model="gpt", part="guess", new_text=WINTER, rounds=[["no guess", 0, 0]], present=1)
    assert not at.text_input and "the word to guess" not in said(at), "the lecturer has a button alone"
    assert [row[0] for row in score_rows(at)] == ["", "Counting", "GPT"] and len(score_rows(at)[1]) == 3
    button(at, "Show the next word").click().run()
    assert "<mark>was</mark>" in said(at) and score_rows(at)[1][3] == "0 of 2", "counting guessed neither"


def test_a_link_may_bring_anything():
    rows = [["had", 1, 2], ["x", "y", 0], ["", 1, 1], "no", ["z", 1]]
    at = open_("dice", model="gpt", words=rows, back=9, counted="nothing")
    assert words(at) == ["had"] and not at.exception
    at = open_("dice", model="gpt", part="guess", rounds=[[4, None], ["a", 2, 1], 7], new_text="")
    assert "has no words" in said(at) and not at.exception
    at = open_("dice", model="gpt", counted="own", own_text="?!")
    assert "no words to count" in problems(at)
