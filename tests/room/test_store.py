"""Rooms in one file: who may do what, one answer a phone, and what a second process finds."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from explorer.errors import NotFoundError, TextError
from explorer.room.questions import Question
from explorer.room.store import CODE_LENGTH, KEPT_S, LETTERS, SCHEMA, RoomError, Store, read_code

WORD = Question("word", "What comes next?", "We sat on the")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "rooms.sqlite")


def test_a_code_has_no_letters_that_look_alike(store):
    code, _ = store.open_room()
    assert len(code) == CODE_LENGTH and set(code) <= set(LETTERS) and not set(LETTERS) & set("GJIOQV")


def test_one_answer_a_phone_and_the_last_one_counts(store):
    code, secret = store.open_room()
    number = store.ask(code, secret, WORD)
    for phone, text in (("a", "bank"), ("b", " river "), ("a", "bench")):
        store.answer(code, number, phone, text)
    assert sorted(store.answers(code, secret)) == ["bench", "river"]
    assert store.own_answer(number, "a") == "bench" and store.newest(code).count == 2


def test_only_the_teacher_asks_closes_and_reads(store):
    code, secret = store.open_room()
    other, others_secret = store.open_room()
    for wrong in ("", others_secret):
        for call in (lambda w=wrong: store.ask(code, w, WORD), lambda w=wrong: store.end(code, w)):
            with pytest.raises(TextError, match="opened by somebody else"):
                call()
    number = store.ask(code, secret, WORD)
    with pytest.raises(TextError):
        store.answers(code, others_secret)
    assert store.answers(other, others_secret, number) == []  # a question of another room
    store.answer(code, number, "a", "bank")
    store.show(code, secret, "what phones see")
    assert store.polls(code, secret)[0][1:] == (["bank"], "what phones see")


def test_no_answer_after_closing_nor_to_a_question_of_another_room(store):
    code, secret = store.open_room()
    other, _ = store.open_room()
    number = store.ask(code, secret, WORD)
    with pytest.raises(NotFoundError):
        store.answer(other, number, "a", "bank")
    store.close(code, secret)
    with pytest.raises(TextError, match="closed"):
        store.answer(code, number, "a", "bank")
    store.reopen(code, secret)
    store.answer(code, number, "a", "bank")


def test_a_new_question_closes_the_one_before(store):
    code, secret = store.open_room()
    first = store.ask(code, secret, WORD)
    second = store.ask(code, secret, WORD)
    with pytest.raises(TextError, match="closed"):
        store.answer(code, first, "a", "bank")
    store.answer(code, second, "a", "bank")
    assert [answers for _, answers, _ in store.polls(code, secret)] == [[], ["bank"]]


def test_another_process_goes_on_with_the_room(store):
    code, secret = store.open_room()
    number = store.ask(code, secret, WORD)
    again = Store(store.path)
    again.answer(code, number, "a", "bank")
    assert store.answers(code, secret) == ["bank"]
    again.close(code, secret)  # a second teacher with the same link
    assert store.newest(code).state == "closed"


def test_answers_at_the_same_moment_all_count(store):
    code, secret = store.open_room()
    number = store.ask(code, secret, WORD)
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda i: store.answer(code, number, f"phone {i}", "bank"), range(100)))
    assert len(store.answers(code, secret)) == 100


@pytest.mark.parametrize("age", [KEPT_S + 60, -KEPT_S - 60])
def test_a_room_of_yesterday_goes_and_so_does_one_of_a_clock_that_jumped(store, age):
    code, _ = store.open_room()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as db:
        db.execute("update rooms set changed = ?", (time.time() - age,))
    store.sweep()
    assert store.version(code) is None


@pytest.mark.parametrize("jump", [2 * KEPT_S, -2 * KEPT_S])
def test_a_clock_that_is_set_while_a_class_is_there_ends_no_room(store, monkeypatch, jump):
    code, _ = store.open_room()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + jump)
    store.open_room()
    assert store.version(code) is not None


def test_the_tables_of_another_version_are_replaced(store):
    store.open_room()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as db:
        db.execute("alter table rooms drop column notes")
        db.execute(f"pragma user_version = {SCHEMA + 1}")
    code, secret = Store(store.path).open_room()
    assert store.notes(code, secret) == ""


def test_an_ended_room_leaves_nothing(store):
    code, secret = store.open_room()
    store.answer(code, store.ask(code, secret, WORD), "a", "a secret word")
    store.end(code, secret)
    with closing(sqlite3.connect(store.path)) as db:
        assert [
            db.execute(f"select count(*) from {t}").fetchone()[0] for t in ("rooms", "questions", "answers")
        ] == [0] * 3


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RoomError, match=r"rooms\.sqlite"):
        Store(tmp_path / "file" / "rooms.sqlite").open_room()


def test_a_full_disk_keeps_what_it_has_and_says_so(store, monkeypatch):
    code, secret = store.open_room()
    number, connect, kept = store.ask(code, secret, WORD), sqlite3.connect, 0

    def connect_to_a_full_disk(*place, **options):
        db = connect(*place, **options)
        db.execute("pragma max_page_count = 1")  # no more pages than it has
        return db

    monkeypatch.setattr(sqlite3, "connect", connect_to_a_full_disk)
    with pytest.raises(RoomError, match="full"):
        for kept in range(1_000):
            store.answer(code, number, f"phone {kept}", "bank " * 16)
    assert len(store.answers(code, secret)) == kept > 0


@pytest.mark.parametrize(
    ("question", "answer", "kept"),
    [
        (WORD, "  the   bank ", "the bank"),
        (WORD, "نهر", "نهر"),
        (WORD, "🌊", "🌊"),
        (Question("choice", "Which?", choices=("A", "B")), "1", "1"),
        (Question("number", "How probable?"), "30 %", "0.3"),
        (Question("number", "How probable?"), "0,25", "0.25"),
    ],
)
def test_what_counts_as_an_answer(question, answer, kept):
    assert question.check(answer) == kept


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (WORD, " \n "),
        (WORD, "x" * 81),
        (Question("choice", "Which?", choices=("A", "B")), "2"),
        (Question("token", "Which?", choices=("A", "B")), "-1"),
        (Question("number", "How probable?"), "2"),
        (Question("number", "How probable?"), "nan"),
        (Question("number", "How probable?"), "much"),
    ],
)
def test_what_does_not_count(question, answer):
    with pytest.raises(TextError):
        question.check(answer)


def test_a_code_is_read_as_it_is_typed():
    assert read_code(" fr ak\n") == "FRAK"
