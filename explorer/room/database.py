"""The SQLite file of the rooms: made where it is missing, and again where it is damaged.

All server processes share it, and a restarted one finds it again.
"""

import contextlib
import logging
import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from explorer.errors import ExplorerError
from explorer.system.users_cache import users_cache

VARIABLE = "RIVERBANK_ROOMS"  # the path of the file
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


def default_path() -> Path:
    """The file of this user's rooms, unless the environment names another."""
    if path := os.environ.get(VARIABLE):
        return Path(path)
    try:
        return users_cache() / "riverbank" / "rooms.sqlite"
    except RuntimeError:  # no home folder: these rooms are this process's alone
        return Path(tempfile.mkdtemp(prefix="riverbank-rooms-"), "rooms.sqlite")


class Database:
    """One file. Whoever reads it opens it, so any thread and any process may; they raise RoomError."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self._damaged = False
        self._open: sqlite3.Connection | None = None
        self._thread = threading.local()  # with the connection of each thread that reads

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, which other processes wait for."""
        with self.reading() as db:
            db.execute("begin immediate")
            try:
                yield db
            except BaseException:
                db.execute("rollback")
                raise
            db.execute("commit")

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection, as the file is read; within another `reading` of the thread it is that one."""
        try:
            if (held := getattr(self._thread, "db", None)) is not None:
                yield held
                return
            self._make_ready()
            db = self._thread.db = self._connect()
            try:
                yield db
            finally:
                self._thread.db = None
                db.close()
        except (sqlite3.Error, OSError) as error:
            self._damaged = isinstance(error, sqlite3.DatabaseError) and _is_damage(error)
            raise RoomError(
                f"The rooms in {self.path} cannot be used: {error}.", "Make room on the disk, and try again."
            ) from error

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
        db.row_factory = sqlite3.Row
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
