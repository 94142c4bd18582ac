"""Every occurrence of a word in an index, and a random sample of them."""

import bisect
import random
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from explorer.analysis.senses.occurrences import spellings
from explorer.corpus import matching
from explorer.corpus.index import Index
from explorer.corpus.matching import tidy
from explorer.errors import TextError
from explorer.locale import _
from explorer.text.search import search_for


@dataclass(frozen=True, eq=False)
class Matches:
    """Where a word occurs: the sentences' numbers, how often in each, and how often in which form.

    `words` are the forms that were searched for, `forms` those that occur.
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
class Occurrence:
    """One occurrence: the number and text of its sentence, its sense if known, the word's characters."""

    sentence: int
    text: str
    sense: str | None
    span: tuple[int, int]

    @property
    def form(self) -> str:
        """The word as the sentence writes it."""
        return self.text[slice(*self.span)]


@dataclass(frozen=True, eq=False)
class Sample:
    """Some of a word's occurrences, drawn at random from `total`.

    `repeats` of the drawn ones were left out, because their sentence is in the sample already. `forms` counts
    all occurrences by their form, if these are known.
    """

    word: str
    occurrences: list[Occurrence]
    total: int
    seed: int
    repeats: int
    forms: dict[str, int] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether the sample is complete, ignoring repeated sentences."""
        return len(self.occurrences) + self.repeats == self.total


def lookup(index: Index, word: str, forms: bool = False) -> Matches:
    """Every occurrence of a word, as `find` counts them; with `forms`, of its regular endings too.

    Raises TextError for an empty word, one that is too long, and one that does not occur.
    """
    word = tidy(word)
    if not word:
        raise TextError(_("There is no word to look for."), _("Type one that occurs in your text."))
    if len(word) > matching.LONGEST_WORD:
        raise TextError(
            _(
                "“{word}…” has {count} characters; a word may have {most}.",
                word=word[:24],
                count=len(word),
                most=matching.LONGEST_WORD,
            ),
            _("Type one word, or a short phrase."),
        )
    words = spellings(word)
    if forms:
        words = [form for spelling in words for form in matching.forms(spelling)]
    search = search_for(*words)
    numbers, times = array("q"), array("i")
    counts: Counter[str] = Counter()
    for number, sentence in enumerate(index.read(), 1):
        if spans := search.spans(sentence.text):
            numbers.append(number)
            times.append(len(spans))
            counts.update(sentence.text[start:end].lower() for start, end in spans)
    if not numbers:
        raise TextError(_("“{word}” does not occur in your text.", word=word), "")
    return Matches(word, words, numbers, times, dict(counts.most_common()))


def draw(index: Index, matches: Matches, most: int, seed: int = 0) -> Sample:
    """At most `most` occurrences, each equally likely; a larger sample begins with the smaller one.

    A sentence that repeats one in the sample, word for word, is left out.
    """
    starts = list(accumulate(matches.times, initial=0))
    sample: dict[tuple[str, tuple[int, int]], Occurrence] = {}
    repeats, search = 0, search_for(*matches.words)
    sentences = index.read()
    for number in shuffled(starts[-1], seed):
        if len(sample) == most:
            break
        row = bisect.bisect_right(starts, number) - 1
        sentence = sentences[matches.sentences[row] - 1]
        span = search.spans(sentence.text)[number - starts[row]]
        repeats += (sentence.text, span) in sample
        occurrence = Occurrence(matches.sentences[row], sentence.text, sentence.sense, span)
        sample.setdefault((sentence.text, span), occurrence)
    return Sample(matches.word, list(sample.values()), matches.total, seed, repeats, matches.forms)


def shuffled(count: int, seed: int) -> Iterator[int]:
    """The numbers below `count` in random order, one at a time (a sparse Fisher–Yates shuffle)."""
    rng = random.Random(seed)
    moved: dict[int, int] = {}
    for i in range(count):
        j = rng.randrange(i, count)
        yield moved.get(j, j)
        moved[j] = moved.pop(i, i)
