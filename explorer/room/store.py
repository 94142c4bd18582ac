"""Rooms in one SQLite file, which all server processes share and a restarted one finds again.

A room holds no name and no address: a phone is a random token, which keeps one answer a phone. A room is
deleted when it ends, and by `sweep` a day after its last change. That day is counted by the computer's
monotonic clock while a server runs, so neither a night without one nor a clock that is set shortens it.
"""

import contextlib
import hashlib
import logging
import os
import secrets
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.errors import ExplorerError, NotFoundError, TextError
from explorer.room.questions import Question
from explorer.system.users_cache import users_cache

VARIABLE = "RIVERBANK_ROOMS"  # the path of the file
LETTERS = "ABCDEFHKLMNPRSTUWXYZ"  # without look-alikes: no G and J, no I, O, Q and V
CODE_LENGTH = 4
KEPT_S = 24 * 3600
MOST_ROOMS = 500  # then those that no phone has opened go first
MOST_ANSWERS = 1_000  # to a question
LONGEST_GAP_S = 2 * 3600  # between two uses of the file; no server has run in a longer one
MAKING_S = 0.3  # after which a file that another process makes is no longer empty
WAIT_S = 5.0  # for another process that writes
SCHEMA = 2  # of the tables; those of another version of Riverbank are replaced
DROP = (
    "drop table if exists answers; drop table if exists questions; drop table if exists rooms; "
    "drop table if exists clock;"
)
TABLES = """
create table if not exists clock (seconds real not null, seen real not null);
create table if not exists rooms (
    code text primary key, secret text not null, changed real not null, version integer not null default 0,
    notes text not null default '', visited integer not null default 0
);
create table if not exists questions (
    id integer primary key autoincrement, code text not null references rooms on delete cascade,
    question text not null, model text not null, state text not null default 'open',
    reveal text not null default '', first integer
);
create table if not exists answers (
    question integer not null references questions on delete cascade, phone text not null,
    answer text not null, primary key (question, phone)
);
"""


logger = logging.getLogger(__name__)
_making = threading.Lock()


class RoomError(ExplorerError):
    """The rooms cannot be read or written."""


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


def default_path() -> Path:
    """The file of this user's rooms, unless the environment names another."""
    if path := os.environ.get(VARIABLE):
        return Path(path)
    try:
        return users_cache() / "riverbank" / "rooms.sqlite"
    except RuntimeError:  # no home folder: these rooms are this process's alone
        return Path(tempfile.mkdtemp(prefix="riverbank-rooms-"), "rooms.sqlite")


class Store:
    """The rooms of one file. Each call opens the file, so any thread and any process may use it.

    Every method raises RoomError if the file cannot be read or written, such as on a full disk.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self._damaged = False
        self._open: sqlite3.Connection | None = None

    def sweep(self) -> None:
        """Delete the rooms that nobody has used for a day in which a server ran."""
        with self._writing() as db:
            oldest = self._now(db) - KEPT_S
            deleted = db.execute("delete from rooms where changed < ?", (oldest,)).rowcount
        if deleted:
            self._forget()

    def open_room(self) -> tuple[str, str]:
        """A new room: its code, and the secret of who opened it."""
        self.sweep()
        with self._writing() as db:
            if db.execute("select count(*) from rooms").fetchone()[0] >= MOST_ROOMS:
                oldest = "select code from rooms where not visited order by changed limit 1"
                if not db.execute(f"delete from rooms where code = ({oldest})").rowcount:
                    raise RoomError(
                        "There are too many open rooms.",
                        "End one that is no longer used. A room ends by itself a day after it was used last.",
                    )
            while True:
                code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
                if not db.execute("select 1 from rooms where code = ?", (code,)).fetchone():
                    break
            secret = secrets.token_urlsafe(16)
            db.execute(
                "insert into rooms (code, secret, changed) values (?, ?, ?)",
                (code, _hash(secret), self._now(db)),
            )
            return code, secret

    def visit(self, code: str) -> None:
        """Note that a phone has opened a room. Raises NotFoundError without such a room."""
        with self._reading() as db:
            row = db.execute("select visited from rooms where code = ?", (code,)).fetchone()
        if row is None:
            raise no_room(code)
        if not row[0]:
            with self._writing() as db:
                db.execute("update rooms set visited = 1 where code = ?", (code,))

    def version(self, code: str) -> int | None:
        """A number that changes with every change of a room; None if there is no such room."""
        with self._reading() as db:
            row = db.execute("select version from rooms where code = ?", (code,)).fetchone()
            return None if row is None else int(row[0])

    def owns(self, code: str, secret: str) -> bool:
        """Whether a secret is that of a room."""
        with self._reading() as db:
            return self._owns(db, code, secret)

    def ask(self, code: str, secret: str, question: Question, model: str = "") -> int:
        """Ask a question; an earlier one of the room that is still open is closed. Returns its number.

        `model` is kept with it for whoever has the secret.
        """
        with self._writing() as db:
            self._require(db, code, secret)
            return self._ask(db, code, question.to_json(), model)

    def ask_again(self, code: str, secret: str) -> int:
        """Ask the newest question, which is closed or shown, once more; the first answers are kept as its
        first round. Returns its new number. Raises TextError while it is open, or without a question.
        """
        with self._writing() as db:
            self._require(db, code, secret)
            row = db.execute(
                "select id, question, model, state from questions where code = ? order by id desc limit 1",
                (code,),
            ).fetchone()
            if row is None or row[3] == "open":
                raise TextError("There is no closed question to ask again.", "Close one first.")
            return self._ask(db, code, row[1], row[2], first=row[0])

    def rounds(self, code: str, secret: str) -> list[tuple[str, str]]:
        """The first and second answer of each phone to the newest question, "" for none.

        Empty unless it was asked again. Raises TextError for a wrong secret.
        """
        with self._reading() as db:
            self._require(db, code, secret)
            newest = db.execute(
                "select id, first from questions where code = ? order by id desc limit 1", (code,)
            ).fetchone()
            if newest is None or newest[1] is None:
                return []
            rounds = [
                dict(
                    db.execute("select phone, answer from answers where question = ? order by rowid", (one,))
                )
                for one in (newest[1], newest[0])
            ]
            return [
                (rounds[0].get(phone, ""), rounds[1].get(phone, "")) for phone in {**rounds[0], **rounds[1]}
            ]

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
        with self._writing() as db:
            self._require(db, code, secret)
            db.execute("delete from rooms where code = ?", (code,))
        self._forget()

    def newest(self, code: str) -> CurrentQuestion | None:
        """The newest question of a room; None before the first. Raises NotFoundError without such a room."""
        with self._reading() as db:
            if not db.execute("select 1 from rooms where code = ?", (code,)).fetchone():
                raise no_room(code)
            row = db.execute(
                "select id, question, state, reveal, model, first from questions where code = ? "
                "order by id desc limit 1",
                (code,),
            ).fetchone()
            if row is None:
                return None
            count = db.execute("select count(*) from answers where question = ?", (row[0],)).fetchone()[0]
            return CurrentQuestion(
                int(row[0]),
                Question.from_json(row[1]),
                str(row[2]),
                str(row[3]),
                int(count),
                str(row[4]),
                row[5],
            )

    def answer(self, code: str, question: int, phone: str, text: str) -> str:
        """Keep a phone's answer to an open question in place of its earlier one; returns it as it is kept.

        Raises TextError for one that does not count, comes too late or belongs to no question of the room,
        NotFoundError without such a room.
        """
        with self._writing() as db:
            row = db.execute(
                "select question, state from questions where id = ? and code = ?", (question, code)
            ).fetchone()
            if row is None and not db.execute("select 1 from rooms where code = ?", (code,)).fetchone():
                raise no_room(code)
            if row is None:
                raise TextError("This question is not one of this room.", "Load the page again.")
            if row[1] != "open":
                raise TextError("The question is closed.", "Wait for the next one.")
            answer = Question.from_json(row[0]).check(text)
            others = "select count(*) from answers where question = ? and phone <> ?"
            if db.execute(others, (question, phone)).fetchone()[0] >= MOST_ANSWERS:
                raise TextError(
                    f"This question has {MOST_ANSWERS:,} answers, and takes no more.",
                    "Wait for the next one.",
                )
            db.execute("insert or replace into answers values (?, ?, ?)", (question, phone, answer))
            self._changed(db, code)
            return answer

    def keep_notes(self, code: str, secret: str, notes: str) -> None:
        """Keep what the teacher's own window shows, for a window on another device."""
        with self._writing() as db:
            self._require(db, code, secret)
            db.execute("update rooms set notes = ? where code = ?", (notes, code))

    def notes(self, code: str, secret: str) -> str:
        """What was kept as notes; "" before. Raises TextError for a wrong secret."""
        with self._reading() as db:
            self._require(db, code, secret)
            return str(db.execute("select notes from rooms where code = ?", (code,)).fetchone()[0])

    def own_answer(self, question: int, phone: str) -> str:
        """What a phone has answered; "" if nothing."""
        with self._reading() as db:
            row = db.execute(
                "select answer from answers where question = ? and phone = ?", (question, phone)
            ).fetchone()
            return "" if row is None else str(row[0])

    def answers(self, code: str, secret: str, question: int | None = None) -> list[str]:
        """All answers to a question, by default the newest. Raises TextError for a wrong secret."""
        with self._reading() as db:
            self._require(db, code, secret)
            return self._answers(db, code, question)

    def polls(self, code: str, secret: str) -> list[tuple[Question, list[str], str]]:
        """All questions of a room in order, with their answers and what was revealed.

        Raises TextError for a wrong secret.
        """
        with self._reading() as db:
            self._require(db, code, secret)
            rows = db.execute(
                "select id, question, reveal from questions where code = ? order by id", (code,)
            ).fetchall()
            return [
                (Question.from_json(text), self._answers(db, code, int(id)), str(reveal))
                for id, text, reveal in rows
            ]

    def _set(self, code: str, secret: str, state: str, reveal: str) -> None:
        with self._writing() as db:
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
        row = db.execute("select secret from rooms where code = ?", (code,)).fetchone()
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
        row = db.execute("select seconds, seen from clock").fetchone()
        if row is None:
            db.execute("insert into clock values (0, ?)", (clock,))
            return 0.0
        passed = clock - row[1]  # negative after a restart of the computer
        seconds = float(row[0]) + (passed if 0 < passed < LONGEST_GAP_S else 0.0)
        db.execute("update clock set seconds = ?, seen = ?", (seconds, clock))
        return seconds

    def _forget(self) -> None:
        """Take what was deleted out of SQLite's log too; what somebody still reads goes with the next."""
        with self._reading() as db:
            db.execute("pragma wal_checkpoint(truncate)").fetchall()

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._connected() as db:
            yield db

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, which other processes wait for."""
        with self._connected() as db:
            db.execute("begin immediate")
            try:
                yield db
            except BaseException:
                db.execute("rollback")
                raise
            db.execute("commit")

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            self._make_ready()
            db = self._connect()
            try:
                yield db
            finally:
                db.close()
        except (sqlite3.Error, OSError) as error:
            self._damaged = isinstance(error, sqlite3.DatabaseError) and _is_damage(error)
            raise RoomError(
                f"The rooms in {self.path} cannot be used: {error}.", "Make room on the disk, and try again."
            ) from error

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
        db.execute("pragma foreign_keys = on")
        db.execute("pragma synchronous = normal")
        db.execute("pragma secure_delete = on")
        return db

    def _make_ready(self) -> None:
        """Make the file where it is missing, and again where it is empty or no longer one of SQLite's."""
        if self._open is not None and not self._damaged and self.path.exists() and self.path.stat().st_size:
            return
        with _making:
            if self.path.exists() and (self._damaged or not self._is_whole()):
                logger.warning("The rooms in %s were empty or damaged: the file is made again.", self.path)
                for end in ("", "-wal", "-shm"):
                    self.path.with_name(self.path.name + end).unlink(missing_ok=True)
            self._create()
            self._damaged = False

    def _is_whole(self) -> bool:
        """Whether the file can be read; one that another process is just making is not empty for long."""
        if not self.path.stat().st_size:
            time.sleep(MAKING_S)
        if not self.path.stat().st_size:
            return False
        try:
            with contextlib.closing(self._connect()) as db:
                db.execute("select count(*) from sqlite_master").fetchone()
        except sqlite3.DatabaseError as error:
            return not _is_damage(error)
        return True

    def _create(self) -> None:
        """The file with its tables, readable by this user alone.

        A connection stays open: whenever the last one is closed, SQLite writes its log into the file and
        waits for the disk, 25 ms for an answer.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch(0o600)
        db = self._connect()
        try:
            db.execute("pragma journal_mode = wal")
            db.execute("begin immediate")
            other = db.execute("pragma user_version").fetchone()[0] != SCHEMA
            for statement in f"{DROP if other else ''} {TABLES} pragma user_version = {SCHEMA}".split(";"):
                db.execute(statement)
            db.execute("commit")
        except sqlite3.Error:
            db.close()
            raise
        self._open = db


def _is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is at fault, not the disk or another process."""
    return any(part in str(error) for part in ("malformed", "not a database", "no such table"))


def no_room(code: str) -> NotFoundError:
    """The error for a code that no room has."""
    return NotFoundError(f"There is no open room {code[:20]!r}.", "Ask for the code: it has four letters.")


def read_code(text: str) -> str:
    """A typed code as rooms have it."""
    return "".join(text.split()).upper()[:20]


def _hash(secret: str) -> str:
    """A secret as it is stored, which does not give it away."""
    return hashlib.sha256(secret.encode()).hexdigest()
