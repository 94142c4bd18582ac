"""A visitor's sentences in an SQLite database: built once, then only read.

`build` streams: it holds a few hundred sentences at a time, whatever the size of the text. An `Index` may be
read from several threads: each call opens its own connection.
"""

import contextlib
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import regex

from explorer.analysis.senses.occurrences import Sentence
from explorer.corpus.folder import new_file
from explorer.corpus.matching import search_key
from explorer.errors import TextError
from explorer.files.writing import disk_errors
from explorer.text.folding import fold

_OTHER_SCRIPT = regex.compile(r"(?V1)[\p{L}--[\p{Latin}\p{Greek}\p{Cyrillic}]]|[\uff00-\uffef]")
BATCH = 512  # sentences written together
SMALLER = "Take a smaller part of the text, or make room in the temporary folder."
PATIENCE = 50  # how often, ten times a second, a deletion is tried

# A combining mark belongs to its letter, so that suggested words are whole in any script.
TOKENIZER = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
# Contentless and without positions: `lookup` reads the sentences in any case.
_TABLES = f"""
PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;
CREATE TABLE sentence (id INTEGER PRIMARY KEY, text TEXT NOT NULL, sense TEXT, folded TEXT);
CREATE VIRTUAL TABLE words USING fts5 (
    key, content = '', detail = none, columnsize = 0,
    tokenize = "{TOKENIZER}");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, 'row');
"""
# Stored, because counting takes a second in a large text.
_FREQUENT = """
CREATE TABLE frequent AS
    SELECT term AS word, doc AS sentences FROM vocabulary WHERE doc > 2 ORDER BY doc DESC LIMIT 20000
"""


@dataclass(frozen=True, eq=False)
class Index:
    """One text: its database, its name and the number of its sentences."""

    path: Path
    name: str
    sentences: int

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A read-only connection. Raises TextError once the text is deleted, ExplorerError on a full disk."""
        try:
            connection = sqlite3.connect(f"file:{quote(str(self.path))}?mode=ro&immutable=1", uri=True)
            with disk_errors(self.path.parent), contextlib.closing(connection):
                connection.executescript("PRAGMA query_only = ON; PRAGMA temp_store = MEMORY")
                yield connection
        except sqlite3.OperationalError as error:
            if self.path.exists():
                raise
            raise TextError(
                "Your text is no longer here.", "Paste it, or drop the file, once more."
            ) from error

    def delete(self) -> None:
        """Delete the database; a second call does nothing."""
        for _ in range(PATIENCE):
            with contextlib.suppress(PermissionError):  # on Windows, while another thread reads it
                return self.path.unlink(missing_ok=True)
            time.sleep(0.1)
        self.path.unlink(missing_ok=True)


def build(name: str, sentences: Iterable[Sentence], step: Callable[[], None] = lambda: None) -> Index:
    """Index sentences in a new database; `step` is called after each few hundred.

    If anything ends it early, an exception from `step` too, no file is left behind.
    Raises TextError if there are no sentences, ExplorerError if the disk is full.
    """
    with disk_errors(Path(tempfile.gettempdir()), SMALLER):
        path = new_file()
    try:
        with (
            disk_errors(path.parent, SMALLER),
            contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection,
        ):
            total = _fill(connection, sentences, step)
        if not total:
            raise TextError(f"There are no sentences in {name}.", "Choose a file with text in it.")
        return Index(path, name, total)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _fill(connection: sqlite3.Connection, sentences: Iterable[Sentence], step: Callable[[], None]) -> int:
    connection.executescript(_TABLES)
    connection.execute("BEGIN")
    total, source = 0, iter(sentences)
    while batch := list(islice(source, BATCH)):
        numbered = list(enumerate(batch, total + 1))
        connection.executemany(
            "INSERT INTO sentence VALUES (?, ?, ?, ?)",
            ((i, s.text, s.sense, _folded(s.text)) for i, s in numbered),
        )
        connection.executemany(
            "INSERT INTO words (rowid, key) VALUES (?, ?)", ((i, search_key(s.text)) for i, s in numbered)
        )
        total += len(batch)
        step()
    connection.execute(_FREQUENT)
    connection.execute("COMMIT")
    return total


def _folded(text: str) -> str | None:
    """The folded text, for words that the full-text index cannot find; None if it is the same."""
    if text.isascii() or not _OTHER_SCRIPT.search(text):
        return None
    folded = fold(text)
    return folded if folded != text else None
