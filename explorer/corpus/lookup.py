"""Every occurrence of a word in an index, and a fair draw of some of them."""

import bisect
import random
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, islice

from explorer.analysis.senses.occurrences import spellings
from explorer.corpus import matching
from explorer.corpus.index import Index
from explorer.corpus.matching import tidy
from explorer.errors import TextError
from explorer.text.search import search_for

AT_A_TIME = 500  # sentences fetched by number in one question


@dataclass(frozen=True, eq=False)
class Found:
    """Where a word occurs: the sentences' numbers, how often in each, and how often in which form.

    `words` are the forms that were looked for, `forms` those that are there.
    """

    word: str
    words: list[str]
    sentences: "array[int]"
    times: "array[int]"
    forms: dict[str, int]

    @property
    def total(self) -> int:
        """The number of occurrences."""
        return sum(self.times)


@dataclass(frozen=True)
class Drawn:
    """One occurrence: its sentence, by number and in words, and the characters of the word in it."""

    sentence: int
    text: str
    sense: str | None
    span: tuple[int, int]

    @property
    def form(self) -> str:
        """The word as it stands there."""
        return self.text[slice(*self.span)]


@dataclass(frozen=True, eq=False)
class Sample:
    """Some occurrences out of all; `repeats` were passed over, their sentence being there already."""

    found: Found
    occurrences: list[Drawn]
    seed: int
    repeats: int

    @property
    def whole(self) -> bool:
        """Whether these are all there are, repeats aside."""
        return len(self.occurrences) + self.repeats == self.found.total


def lookup(index: Index, word: str, forms: bool = False) -> Found:
    """Every occurrence of a word, as `find` counts them; with `forms`, of its regular endings too.

    Raises TextError for an empty word, one that is too long, and one that does not occur.
    """
    word = tidy(word)
    if not word:
        raise TextError("There is no word to look for.", "Type one that occurs in your text.")
    if len(word) > matching.LONGEST_WORD:
        raise TextError(
            f"“{word[:24]}…” has {len(word)} characters; a word may have {matching.LONGEST_WORD}.",
            "Type one word, or a short phrase.",
        )
    written = spellings(word)
    words = [form for one in written for form in matching.forms(one)] if forms else written
    search = search_for(*words)
    numbers, times = array("q"), array("i")
    counts: Counter[str] = Counter()
    with index.reading() as connection:
        for number, text in connection.execute(*_question(words)):
            if spans := search.spans(text):
                numbers.append(number)
                times.append(len(spans))
                counts.update(text[start:end].lower() for start, end in spans)
    if not numbers:
        raise TextError(f"“{word}” does not occur in your text.", "")
    return Found(word, words, numbers, times, dict(counts.most_common()))


def draw(index: Index, found: Found, most: int, seed: int = 0) -> Sample:
    """At most so many occurrences, each equally likely; a larger draw begins with the smaller one.

    A sentence that repeats one already drawn, word for word, is passed over.
    """
    starts = list(accumulate(found.times, initial=0))
    chosen: list[Drawn] = []
    seen: set[tuple[str, tuple[int, int]]] = set()
    repeats, search = 0, search_for(*found.words)
    with index.reading() as connection:
        order = shuffled(starts[-1], seed)
        while len(chosen) < most:
            places = list(islice(order, min(AT_A_TIME, most - len(chosen) + repeats)))
            if not places:
                break
            rows = [bisect.bisect_right(starts, place) - 1 for place in places]
            texts = _texts(connection, {found.sentences[row] for row in rows})
            for place, row in zip(places, rows):
                if len(chosen) == most:
                    break
                text, sense = texts[found.sentences[row]]
                span = search.spans(text)[place - starts[row]]
                if (text, span) in seen:
                    repeats += 1
                    continue
                seen.add((text, span))
                chosen.append(Drawn(found.sentences[row], text, sense, span))
    return Sample(found, chosen, seed, repeats)


def shuffled(count: int, seed: int) -> Iterator[int]:
    """The numbers below `count` in random order, one at a time (Fisher and Yates, kept sparse)."""
    drawn = random.Random(seed)
    moved: dict[int, int] = {}
    for i in range(count):
        j = drawn.randrange(i, count)
        yield moved.get(j, j)
        moved[j] = moved.pop(i, i)


def _question(words: list[str]) -> tuple[str, tuple[str, ...]]:
    """The SQL that names at least every sentence with one of the words, and what to bind."""
    asked = [matching.query(word) for word in words]
    hows = {each.how for each in asked}
    how = asked[0].how if len(hows) == 1 else "scan"
    if how in ("words", "trigrams"):  # several words are regular forms, or one word in two scripts
        match = " OR ".join(f"({each.argument})" for each in asked)
        return (
            f"SELECT id, text FROM {how} JOIN sentence ON id = {how}.rowid WHERE {how} MATCH ? ORDER BY id",
            (match,),
        )
    if how == "like":
        likes = " OR ".join([r"COALESCE(folded, text) LIKE ? ESCAPE '\'"] * len(asked))
        return f"SELECT id, text FROM sentence WHERE {likes} ORDER BY id", tuple(e.argument for e in asked)
    return "SELECT id, text FROM sentence ORDER BY id", ()


def _texts(connection: sqlite3.Connection, numbers: set[int]) -> dict[int, tuple[str, str | None]]:
    marks = ",".join("?" * len(numbers))
    rows = connection.execute(f"SELECT id, text, sense FROM sentence WHERE id IN ({marks})", sorted(numbers))
    return {number: (text, sense) for number, text, sense in rows}
