"""Words of a text that are worth a look: frequent, and with many different neighbours.

    neighbours(w) = how many different words stand near w, over the same number of places for every w

A name or a set phrase keeps the same neighbours; a word of several senses has several kinds of them.
Words that our own sentences show in several senses come first.
"""

import random
import sqlite3
from dataclasses import dataclass

import regex

from explorer.analysis.senses.keywords import PLAIN
from explorer.analysis.senses.occurrences import library_words
from explorer.corpus.index import Index
from explorer.text.folding import fold, in_small_letters
from explorer.text.letters import LETTERS, is_letters
from explorer.text.search import search_for

CANDIDATES = 150  # of the most frequent words
READ = 20_000  # sentences read for their neighbours, drawn at random
PLACES = 20  # places of a word that count
BESIDE = 4  # words on either side that are its neighbours
AT_A_TIME = 500
NUMBERS = frozenset(
    {"four", "five", "six", "seven", "eight", "nine", "ten", "hundred", "thousand", "million"}
)
_WORD = regex.compile(rf"{LETTERS}(?:['’]{LETTERS})?")


@dataclass(frozen=True)
class Suggestion:
    """A word, how many sentences have it, and whether our own sentences know several senses of it."""

    word: str
    sentences: int
    known: bool


def suggest(index: Index, most: int = 12, seed: int = 0) -> list[Suggestion]:
    """Up to so many words: half at most with senses that we know, the others by their neighbours."""
    with index.reading() as connection:
        rows = connection.execute("SELECT word, sentences FROM frequent ORDER BY sentences DESC").fetchall()
        counts = {word: n for word, n in rows if _is_telling(word)}
        ours = [word for word in counts if word in library_words()][: (most + 1) // 2]
        candidates = [word for word in counts if word not in ours][:CANDIDATES]
        neighbours = _neighbours(connection, set(candidates), index.sentences, seed)
        others = sorted(candidates, key=lambda word: (-neighbours.get(word, 0), -counts[word], word))
        chosen = [*ours, *others[: most - len(ours)]]
        return [Suggestion(_written(connection, word), counts[word], word in ours) for word in chosen]


def _written(connection: sqlite3.Connection, word: str) -> str:
    """How the text writes a word of the index, in small letters."""
    query = "SELECT text FROM words JOIN sentence ON id = words.rowid WHERE words MATCH ? LIMIT 1"
    text = connection.execute(query, (f'"{word}"',)).fetchone()
    spans = search_for(word).spans(text[0]) if text else []
    return in_small_letters(text[0][slice(*spans[0])]) if spans else word


def _neighbours(connection: sqlite3.Connection, words: set[str], sentences: int, seed: int) -> dict[str, int]:
    """For each word how many different words stand near it, in its first PLACES places."""
    numbers = random.Random(seed).sample(range(1, sentences + 1), min(READ, sentences))
    beside: dict[str, set[str]] = {word: set() for word in words}
    places = dict.fromkeys(words, 0)
    for start in range(0, len(numbers), AT_A_TIME):
        some = numbers[start : start + AT_A_TIME]
        marks = ",".join("?" * len(some))
        for (text,) in connection.execute(f"SELECT text FROM sentence WHERE id IN ({marks})", some):
            found = [fold(word) for word in _WORD.findall(text)]
            for i, word in enumerate(found):
                if word in beside and places[word] < PLACES:
                    places[word] += 1
                    beside[word].update(found[max(i - BESIDE, 0) : i] + found[i + 1 : i + 1 + BESIDE])
    return {word: len(near - PLAIN - {word}) for word, near in beside.items()}


def _is_telling(word: str) -> bool:
    return len(word) > 2 and is_letters(word) and word not in PLAIN | NUMBERS
