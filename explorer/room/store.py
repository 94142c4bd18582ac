"""Rooms, their questions and answers, in one SQLite file (`database.py`).

A room holds no name and no address: a phone is a random token, which keeps one answer a phone. A room is
deleted when it ends, and by `sweep` a day after its last change. That day is counted by the computer's
monotonic clock while a server runs, so neither a night without one nor a clock that is set shortens it.
"""

import hashlib
import secrets
import sqlite3
import time
from dataclasses import dataclass
from typing import Any

from explorer.errors import NotFoundError, TextError
from explorer.locale import _, format_number
from explorer.room.database import Database, RoomError
from explorer.room.questions import Question

LETTERS = "ABCDEFHKLMNPRSTUWXYZ"  # without look-alikes: no G and J, no I, O, Q and V
CODE_LENGTH = 4
KEPT_S = 24 * 3600
MOST_ROOMS = 500  # then those that no phone has opened go first
MOST_ANSWERS = 1_000  # to a question
LONGEST_GAP_S = 2 * 3600  # between two uses of the file; no server has run in a longer one


@dataclass(frozen=True)
class CurrentQuestion:
    """The newest question of a room: its `state` is open, closed or shown, `reveal` what phones then see.

    `model` is what the teacher has asked with it, such as the model's answer, which no phone sees. `first` is
    the `id` of its first round if it is asked again.
    """

    id: int
    question: Question
    state: str
    reveal: str
    count: int
    model: str
    first: int | None = None


class Store(Database):
    """The rooms of one file. Every method raises RoomError if it cannot be read or written."""

    def sweep(self) -> None:
        """Delete the rooms that nobody has used for a day in which a server ran."""
        with self.writing() as db:
            oldest = self._now(db) - KEPT_S
            deleted = db.execute("delete from rooms where changed < ?", (oldest,)).rowcount
        if deleted:
            self._forget()

    def open_room(self) -> tuple[str, str]:
        """A new room: its code, and the secret of who opened it."""
        self.sweep()
        with self.writing() as db:
            if _one(db, "select count(*) from rooms")[0] >= MOST_ROOMS:
                oldest = "select code from rooms where not visited order by changed limit 1"
                if not db.execute(f"delete from rooms where code = ({oldest})").rowcount:
                    raise RoomError(
                        "There are too many open rooms.",
                        "End one that is no longer used. A room ends by itself a day after it was used last.",
                    )
            while True:
                code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
                if not _is_room(db, code):
                    break
            secret = secrets.token_urlsafe(16)
            db.execute(
                "insert into rooms (code, secret, changed) values (?, ?, ?)",
                (code, _hash(secret), self._now(db)),
            )
            return code, secret

    def visit(self, code: str) -> None:
        """Note that a phone has opened a room. Raises NotFoundError without such a room."""
        with self.reading() as db:
            row = _one(db, "select visited from rooms where code = ?", code)
        if row is None:
            raise no_room(code)
        if not row[0]:
            with self.writing() as db:
                db.execute("update rooms set visited = 1 where code = ?", (code,))

    def version(self, code: str) -> int | None:
        """A number that changes with every change of a room; None if there is no such room."""
        with self.reading() as db:
            row = _one(db, "select version from rooms where code = ?", code)
            return None if row is None else int(row[0])

    def owns(self, code: str, secret: str) -> bool:
        """Whether a secret is that of a room."""
        with self.reading() as db:
            return self._owns(db, code, secret)

    def ask(self, code: str, secret: str, question: Question, model: str = "") -> int:
        """Ask a question; an earlier one of the room that is still open is closed. Returns its number.

        `model` is kept with it for whoever has the secret.
        """
        with self.writing() as db:
            self._require(db, code, secret)
            return self._ask(db, code, question.to_json(), model)

    def ask_again(self, code: str, secret: str) -> int:
        """Ask the newest question, which is closed or shown, once more; the first answers are kept as its
        first round. Returns its new number. Raises TextError while it is open, or without a question.
        """
        with self.writing() as db:
            self._require(db, code, secret)
            row = _newest(db, code)
            if row is None or row["state"] == "open":
                raise TextError("There is no closed question to ask again.", "Close one first.")
            return self._ask(db, code, row["question"], row["model"], first=row["id"])

    def rounds(self, code: str, secret: str) -> list[tuple[str, str]]:
        """The first and second answer of each phone to the newest question, "" for none.

        Empty unless it was asked again. Raises TextError for a wrong secret.
        """
        with self.reading() as db:
            self._require(db, code, secret)
            row = _newest(db, code)
            if row is None or row["first"] is None:
                return []
            answers = "select phone, answer from answers where question = ? order by rowid"
            first, second = (dict(db.execute(answers, (id,)).fetchall()) for id in (row["first"], row["id"]))
            return [(first.get(phone, ""), second.get(phone, "")) for phone in first | second]

    def _ask(
        self, db: sqlite3.Connection, code: str, question: str, model: str, first: int | None = None
    ) -> int:
        db.execute("update questions set state = 'closed' where code = ? and state = 'open'", (code,))
        row = db.execute(
            "insert into questions (code, question, model, first) values (?, ?, ?, ?)",
            (code, question, model, first),
        )
        self._changed(db, code)
        return int(row.lastrowid or 0)

    def close(self, code: str, secret: str) -> None:
        """Take no more answers to the newest question."""
        self._set(code, secret, "closed", "")

    def reopen(self, code: str, secret: str) -> None:
        """Take answers to the newest question again."""
        self._set(code, secret, "open", "")

    def show(self, code: str, secret: str, reveal: str) -> None:
        """Show phones what the class has answered; `reveal` is the text of the model's answer beside it."""
        self._set(code, secret, "shown", reveal)

    def end(self, code: str, secret: str) -> None:
        """Delete a room with all that is in it."""
        with self.writing() as db:
            self._require(db, code, secret)
            db.execute("delete from rooms where code = ?", (code,))
        self._forget()

    def newest(self, code: str) -> CurrentQuestion | None:
        """The newest question of a room; None before the first. Raises NotFoundError without such a room."""
        with self.reading() as db:
            if not _is_room(db, code):
                raise no_room(code)
            if (row := _newest(db, code)) is None:
                return None
            id, state, reveal, model, first = (row[k] for k in ("id", "state", "reveal", "model", "first"))
            count = _one(db, "select count(*) from answers where question = ?", id)[0]
            question = Question.from_json(row["question"])
            return CurrentQuestion(id, question, state, reveal, count, model, first)

    def answer(self, code: str, question: int, phone: str, text: str) -> str:
        """Keep a phone's answer to an open question in place of its earlier one; returns it as it is kept.

        Raises TextError for one that does not count, comes too late or belongs to no question of the room,
        NotFoundError without such a room.
        """
        with self.writing() as db:
            row = _one(db, "select question, state from questions where id = ? and code = ?", question, code)
            if row is None and not _is_room(db, code):
                raise no_room(code)
            if row is None:
                raise TextError(_("This question is not one of this room."), _("Load the page again."))
            if row[1] != "open":
                raise TextError(_("The question is closed."), _("Wait for the next one."))
            answer = Question.from_json(row[0]).check(text)
            others = "select count(*) from answers where question = ? and phone <> ?"
            if _one(db, others, question, phone)[0] >= MOST_ANSWERS:
                raise TextError(
                    _(
                        "This question has {count} answers, and takes no more.",
                        count=format_number(MOST_ANSWERS),
                    ),
                    _("Wait for the next one."),
                )
            db.execute("insert or replace into answers values (?, ?, ?)", (question, phone, answer))
            self._changed(db, code)
            return answer

    def keep_notes(self, code: str, secret: str, notes: str) -> None:
        """Keep what the teacher's own window shows, for a window on another device."""
        with self.writing() as db:
            self._require(db, code, secret)
            db.execute("update rooms set notes = ? where code = ?", (notes, code))

    def notes(self, code: str, secret: str) -> str:
        """What was kept as notes; "" before. Raises TextError for a wrong secret."""
        with self.reading() as db:
            self._require(db, code, secret)
            return str(_one(db, "select notes from rooms where code = ?", code)[0])

    def own_answer(self, question: int, phone: str) -> str:
        """What a phone has answered; "" if nothing."""
        with self.reading() as db:
            row = _one(db, "select answer from answers where question = ? and phone = ?", question, phone)
            return "" if row is None else str(row[0])

    def answers(self, code: str, secret: str, question: int | None = None) -> list[str]:
        """All answers to a question, by default the newest. Raises TextError for a wrong secret."""
        with self.reading() as db:
            self._require(db, code, secret)
            return self._answers(db, code, question)

    def polls(self, code: str, secret: str) -> list[tuple[Question, list[str], str]]:
        """All questions of a room in order, with their answers and what was revealed.

        Raises TextError for a wrong secret.
        """
        with self.reading() as db:
            self._require(db, code, secret)
            rows = db.execute(
                "select id, question, reveal from questions where code = ? order by id", (code,)
            ).fetchall()
            return [
                (Question.from_json(text), self._answers(db, code, int(id)), str(reveal))
                for id, text, reveal in rows
            ]

    def _set(self, code: str, secret: str, state: str, reveal: str) -> None:
        with self.writing() as db:
            self._require(db, code, secret)
            newest = "(select max(id) from questions where code = ?)"
            db.execute(
                f"update questions set state = ?, reveal = ? where id = {newest}", (state, reveal, code)
            )
            self._changed(db, code)

    @staticmethod
    def _answers(db: sqlite3.Connection, code: str, question: int | None) -> list[str]:
        rows = db.execute(
            "select answer from answers join questions on questions.id = answers.question "
            "where code = ? and questions.id = coalesce(?, (select max(id) from questions where code = ?)) "
            "order by answers.rowid",
            (code, question, code),
        )
        return [str(row[0]) for row in rows]

    @staticmethod
    def _owns(db: sqlite3.Connection, code: str, secret: str) -> bool:
        row = _one(db, "select secret from rooms where code = ?", code)
        return row is not None and secrets.compare_digest(row[0], _hash(secret))

    def _require(self, db: sqlite3.Connection, code: str, secret: str) -> None:
        if not self._owns(db, code, secret):
            raise TextError(
                f"Room {code} was opened by somebody else, or has ended.", "Open a room of your own."
            )

    def _changed(self, db: sqlite3.Connection, code: str) -> None:
        now = self._now(db)
        db.execute("update rooms set version = version + 1, changed = ? where code = ?", (now, code))

    @staticmethod
    def _now(db: sqlite3.Connection) -> float:
        """The seconds in which servers have run on this file, for a transaction that writes."""
        clock = time.monotonic()
        row = _one(db, "select seconds, seen from clock")
        if row is None:
            db.execute("insert into clock values (0, ?)", (clock,))
            return 0.0
        passed = clock - row[1]  # negative after a restart of the computer
        seconds = float(row[0]) + (passed if 0 < passed < LONGEST_GAP_S else 0.0)
        db.execute("update clock set seconds = ?, seen = ?", (seconds, clock))
        return seconds

    def _forget(self) -> None:
        """Take what was deleted out of SQLite's log too; what somebody still reads goes with the next."""
        with self.reading() as db:
            db.execute("pragma wal_checkpoint(truncate)").fetchall()


def _one(db: sqlite3.Connection, query: str, *values: object) -> Any:
    return db.execute(query, values).fetchone()


def _is_room(db: sqlite3.Connection, code: str) -> bool:
    return _one(db, "select 1 from rooms where code = ?", code) is not None


def _newest(db: sqlite3.Connection, code: str) -> Any:
    """The row of a room's newest question."""
    return _one(db, "select * from questions where code = ? order by id desc limit 1", code)


def no_room(code: str) -> NotFoundError:
    """The error for a code that no room has."""
    message = _("There is no open room {code}.", code=repr(code[:20]))
    return NotFoundError(message, _("Ask for the code: it has four letters."))


def read_code(text: str) -> str:
    """A typed code as rooms have it."""
    return "".join(text.split()).upper()[:20]


def _hash(secret: str) -> str:
    """A secret as it is stored, which does not give it away."""
    return hashlib.sha256(secret.encode()).hexdigest()
