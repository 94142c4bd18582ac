"""Rooms in one file: who may do what, one answer a phone, and what a second process finds."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from explorer.errors import NotFoundError, TextError
from explorer.room.database import SCHEMA, RoomError
from explorer.room.questions import Question
from explorer.room.store import CODE_LENGTH, KEPT_S, LETTERS, Store, read_code

WORD = Question("word", "What comes next?", "We sat on the")

MILLIONS = Question("number", "How many million?", low=0.1, high=100_000, unit=1e6)
TOKENS = Question("number", "How many tokens?", low=1, high=2_000, whole=True)
SIDE = Question("side", "School or holidays?", choices=("school", "holidays"))
PARAMETERS = Question("number", "How many parameters?", low=1e6, high=1e12)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "rooms.sqlite")


def asked(store) -> tuple[str, str, int]:
    """A new room's code, its teacher's secret, and the number of what is asked there."""
    code, secret = store.open_room()
    return code, secret, store.ask(code, secret, WORD)


def test_a_code_has_no_letters_that_look_alike(store):
    code, _ = store.open_room()
    assert len(code) == CODE_LENGTH and set(code) <= set(LETTERS) and not set(LETTERS) & set("GJIOQV")


def test_one_answer_a_phone_and_the_last_one_counts(store):
    code, secret, number = asked(store)
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
    with pytest.raises(TextError, match="not one of this room"):
        store.answer(other, number, "a", "bank")
    with pytest.raises(NotFoundError):
        store.answer("XXXX", number, "a", "bank")
    store.close(code, secret)
    with pytest.raises(TextError, match="closed"):
        store.answer(code, number, "a", "bank")
    store.reopen(code, secret)
    store.answer(code, number, "a", "bank")


def test_a_new_question_closes_the_one_before(store):
    code, secret, first = asked(store)
    second = store.ask(code, secret, WORD)
    with pytest.raises(TextError, match="closed"):
        store.answer(code, first, "a", "bank")
    store.answer(code, second, "a", "bank")
    assert [answers for _, answers, _ in store.polls(code, secret)] == [[], ["bank"]]


def test_another_process_goes_on_with_the_room(store):
    code, secret, number = asked(store)
    again = Store(store.path)
    again.answer(code, number, "a", "bank")
    assert store.answers(code, secret) == ["bank"]
    again.close(code, secret)  # a second teacher with the same link
    assert store.newest(code).state == "closed"


def test_answers_at_the_same_moment_all_count(store):
    code, secret, number = asked(store)
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda i: store.answer(code, number, f"phone {i}", "bank"), range(100)))
    assert len(store.answers(code, secret)) == 100


def pass_time(monkeypatch, seconds):
    now = time.monotonic() + seconds
    monkeypatch.setattr(time, "monotonic", lambda: now)


def test_a_room_goes_after_a_day_in_which_a_server_ran(store, monkeypatch):
    code, _ = store.open_room()
    for hours in range(1, 24):
        with monkeypatch.context() as later:
            pass_time(later, hours * 3600)
            store.sweep()
    assert store.version(code) is not None
    for hours in (24, 25):
        with monkeypatch.context() as later:
            pass_time(later, hours * 3600)
            store.sweep()
    assert store.version(code) is None


@pytest.mark.parametrize("passed", [26 * 3600, -26 * 3600])
def test_hours_without_a_server_do_not_count_nor_do_the_clocks_of_two(store, monkeypatch, passed):
    code, _ = store.open_room()
    with monkeypatch.context() as later:
        pass_time(later, passed)
        Store(store.path).sweep()
    store.sweep()
    assert store.version(code) is not None


def test_a_clock_that_is_set_ends_no_room(store, monkeypatch):
    code, _ = store.open_room()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 2 * KEPT_S)
    Store(store.path).sweep()
    assert store.version(code) is not None


def test_a_questions_number_never_comes_back(store):
    code, secret, first = asked(store)
    store.end(code, secret)
    assert store.ask(*store.open_room(), WORD) > first


def test_rooms_without_phones_make_way_for_a_new_one(store, monkeypatch):
    monkeypatch.setattr("explorer.room.store.MOST_ROOMS", 2)
    (used, _), (unused, _) = store.open_room(), store.open_room()
    store.visit(used)
    third, _ = store.open_room()
    assert [store.version(code) is None for code in (used, unused, third)] == [False, True, False]
    store.visit(third)
    with pytest.raises(RoomError, match="too many"):
        store.open_room()


def test_a_question_takes_a_bounded_number_of_answers_and_those_may_change(store, monkeypatch):
    monkeypatch.setattr("explorer.room.store.MOST_ANSWERS", 2)
    code, secret, number = asked(store)
    store.answer(code, number, "a", "bank")
    store.answer(code, number, "b", "bank")
    with pytest.raises(TextError, match="takes no more"):
        store.answer(code, number, "c", "bank")
    store.answer(code, number, "a", "river")
    assert sorted(store.answers(code, secret)) == ["bank", "river"]


def test_a_question_that_is_asked_again_keeps_its_first_answers(store):
    code, secret = store.open_room()
    with pytest.raises(TextError, match="no closed question"):
        store.ask_again(code, secret)
    first = store.ask(code, secret, WORD, "of the model")
    store.answer(code, first, "a", "bank")
    store.answer(code, first, "b", "river")
    assert store.rounds(code, secret) == []
    with pytest.raises(TextError, match="no closed question"):
        store.ask_again(code, secret)
    store.close(code, secret)
    second = store.ask_again(code, secret)
    store.answer(code, second, "b", "bank")
    store.answer(code, second, "c", "bench")
    assert store.rounds(code, secret) == [("bank", ""), ("river", "bank"), ("", "bench")]
    assert store.newest(code).question == WORD and store.newest(code).model == "of the model"
    assert store.answers(code, secret, first) == ["bank", "river"]
    with pytest.raises(TextError, match="somebody else"):
        store.rounds(code, "x")


@pytest.mark.parametrize("content", [b"", b"no database at all" * 500], ids=["empty", "damaged"])
def test_an_empty_or_damaged_file_is_made_again_with_a_line(store, caplog, content):
    store.open_room()
    for path in store.path.parent.iterdir():
        path.write_bytes(content)  # SQLite's log too, which would heal it
    again = Store(store.path)
    for each in (again, store):
        code, secret = each.open_room()
        each.ask(code, secret, WORD)
    assert "made again" in caplog.text


def test_what_was_answered_is_nowhere_in_the_files_once_the_room_has_ended(store):
    code, secret, number = asked(store)
    for phone in range(50):
        store.answer(code, number, f"phone {phone}", "onlyhere " * 8)
    store.end(code, secret)
    files = [path.read_bytes() for path in store.path.parent.iterdir()]
    assert len(files) > 1 and not any(b"onlyhere" in content for content in files)


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
        (WORD, "  the   bank ", "the bank"), (WORD, "نهر", "نهر"), (WORD, "🌊", "🌊"),
        (Question("choice", "Which?", choices=("A", "B")), "1", "1"),
        (SIDE, "1  نسبح في\nالبحر ", "1 نسبح في البحر"),
        (SIDE, "0 学校很远", "0 学校很远"),
        (Question("number", "How probable?"), "30 %", "0.3"),
        (Question("number", "How probable?"), "0,25", "0.25"), (PARAMETERS, "124,000,000", "124000000"),
        (PARAMETERS, "124.000.000", "124000000"), (PARAMETERS, "124 million", "124000000"),
        (PARAMETERS, "12,40,00,000", "124000000"), (MILLIONS, "135 million", "135"),
        (MILLIONS, "~1,5 bn", "1500"), (MILLIONS, "135M", "135"), (MILLIONS, "2,5 Millionen", "2.5"),
        (MILLIONS, "3 млрд.", "3000"), (MILLIONS, "135,000,000", "135"), (MILLIONS, "12,500", "12500"),
        (MILLIONS, "0,5", "0.5"), (TOKENS, "7.0", "7"), (TOKENS, "1.300", "1300"),
        (PARAMETERS, "1.24e8", "124000000"), (PARAMETERS, "1,5 billion", "1500000000"),
        (Question("number", "How many?", high=100_000), "1,300", "1300"),
        (Question("number", "How many?", high=100_000), "1.300,5", "1300.5"),
        (Question("number", "How many?", high=100), "12.5", "12.5"),
        (Question("number", "How probable?"), "1/2", "0.5"),
        (Question("number", "How probable?"), "½", "0.5"),
        (Question("number", "How probable?"), "３０％", "0.3"),
        (Question("number", "How probable?"), "٣٠٪", "0.3"),
        (Question("number", "How probable?"), "०.२५", "0.25"),
        (Question("number", "How probable?"), ".3", "0.3"),
        (Question("number", "How cold?", low=-5), "−2", "-2"), (WORD, "a\u0000b\u001b[31m", "ab[31m"),
        (WORD, "q" + "\u0301" * 30, "q" + "\u0301" * 4),
    ],
)  # fmt: skip
def test_what_counts_as_an_answer(question, answer, kept):
    assert question.check(answer) == kept


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (WORD, " \n "), (WORD, "x" * 81),
        *((WORD, invisible) for invisible in "\u200b\ufeff\u3164\u2800\u00ad\u1160\u0000\u0301"),
        (Question("number", "How many?", high=100), "1_0"),
        (Question("number", "How many?", high=100), "1/0"),
        (Question("number", "How many?", high=100), "3 dogs"),
        *((TOKENS, number) for number in ("7.5", "1,5", "½", "8 %", "3 million")),
        (MILLIONS, "200 billion"), (Question("choice", "Which?", choices=("A", "B")), "2"),
        (Question("token", "Which?", choices=("A", "B")), "-1"), (Question("number", "How probable?"), "2"),
        (Question("number", "How probable?"), "nan"), (Question("number", "How probable?"), "much"),
        *((SIDE, answer) for answer in ("We swam all day.", "2 We swam.", "1", "1 \u200b \u200b", "1 swim")),
        (SIDE, "0 " + "very " * 1_000),
    ],
)  # fmt: skip
def test_what_does_not_count(question, answer):
    with pytest.raises(TextError) as caught:
        question.check(answer)
    assert not question.whole or "no whole number from 1 to 2,000" in caught.value.message


def test_a_code_is_read_as_it_is_typed():
    assert read_code(" fr ak\n") == "FRAK"
