"""Suggested words of a text: frequent ones with many different neighbours.

    neighbours(w) = the number of different words near w, in the same number of occurrences for every w

A name or a fixed phrase has the same neighbours each time; a word with several senses has several kinds of
them. Words that our example sentences show in several senses come first.
"""

import random
import sqlite3

import regex

from explorer.analysis.senses.keywords import PLAIN
from explorer.analysis.senses.occurrences import library_words
from explorer.corpus.index import Index
from explorer.text.folding import fold, in_small_letters
from explorer.text.letters import LETTERS, is_letters
from explorer.text.search import search_for

CANDIDATES = 150  # of the most frequent words
SENTENCES = 20_000  # read for neighbours, drawn at random
COUNTED = 20  # occurrences of a word whose neighbours are counted
WINDOW = 4  # words on either side that are its neighbours
BATCH = 500
NUMBERS = frozenset(
    {"four", "five", "six", "seven", "eight", "nine", "ten", "hundred", "thousand", "million"}
)
_WORD = regex.compile(rf"{LETTERS}(?:['’]{LETTERS})?")


def suggest(index: Index, most: int = 12, seed: int = 0) -> dict[str, int]:
    """Up to `most` words, with the number of sentences that have each.

    At most half have example sentences of ours, the others many neighbours.
    """
    with index.reading() as connection:
        rows = connection.execute("SELECT word, sentences FROM frequent ORDER BY sentences DESC").fetchall()
        counts = {word: n for word, n in rows if _is_content_word(word)}
        with_examples = [word for word in counts if word in library_words()][: (most + 1) // 2]
        candidates = [word for word in counts if word not in with_examples][:CANDIDATES]
        neighbours = _count_neighbours(connection, set(candidates), index.sentences, seed)
        others = sorted(candidates, key=lambda word: (-neighbours.get(word, 0), -counts[word], word))
        chosen = [*with_examples, *others[: most - len(with_examples)]]
        return {_spelling(connection, word): counts[word] for word in chosen}


def _spelling(connection: sqlite3.Connection, word: str) -> str:
    """The spelling in the text of a word of the index, in small letters."""
    query = "SELECT text FROM words JOIN sentence ON id = words.rowid WHERE words MATCH ? LIMIT 1"
    text = connection.execute(query, (f'"{word}"',)).fetchone()
    spans = search_for(word).spans(text[0]) if text else []
    return in_small_letters(text[0][slice(*spans[0])]) if spans else word


def _count_neighbours(
    connection: sqlite3.Connection, words: set[str], sentences: int, seed: int
) -> dict[str, int]:
    """For each word, the number of different words near its first COUNTED occurrences."""
    numbers = random.Random(seed).sample(range(1, sentences + 1), min(SENTENCES, sentences))
    neighbours: dict[str, set[str]] = {word: set() for word in words}
    counts = dict.fromkeys(words, 0)
    for start in range(0, len(numbers), BATCH):
        batch = numbers[start : start + BATCH]
        marks = ",".join("?" * len(batch))
        for (text,) in connection.execute(f"SELECT text FROM sentence WHERE id IN ({marks})", batch):
            folded = [fold(word) for word in _WORD.findall(text)]
            for i, word in enumerate(folded):
                if word in neighbours and counts[word] < COUNTED:
                    counts[word] += 1
                    neighbours[word].update(folded[max(i - WINDOW, 0) : i] + folded[i + 1 : i + 1 + WINDOW])
    return {word: len(near - PLAIN - {word}) for word, near in neighbours.items()}


def _is_content_word(word: str) -> bool:
    return len(word) > 2 and is_letters(word) and word not in PLAIN | NUMBERS
