"""A language model made by counting: what followed each run of words in a text.

    P(w | h) = (count(h w) + kinds(h) · P(w | h without its first word)) / (count(h) + kinds(h))

`count(h)` is how often anything followed the words h, `kinds(h)` how many different words did. So after words
that were never seen one word fewer counts, and after the others as often as something new has come. That is
the back-off of Witten and Bell, "The Zero-Frequency Problem" (1991), in the interpolated form of Chen and
Goodman (1996). Below a single word stands its spelling: letter by letter, each as frequent as in the text.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log2, prod

from explorer.errors import ExplorerError, TextError, at_least_one
from explorer.locale import _
from explorer.short_text import WithShortText
from explorer.text.letters import has_letters, joined_at

OTHER = ""  # in a distribution, all words that the text does not have
BYTES = 257  # of UTF-8, and the end of a word
END = 256
DICE = (6, 20, 100)  # faces


@dataclass(frozen=True, eq=False, repr=False)
class Ngrams(WithShortText):
    """How often each word followed each run of up to `order` - 1 words; punctuation marks are words, too.

    `following[h][w]` is the count of w after the words h, and `following[()]` has the words of the text.
    """

    order: int
    following: Mapping[tuple[str, ...], Counter[str]]
    _letters: Counter[int] = field(repr=False)

    def seen(self, before: Sequence[str]) -> tuple[str, ...]:
        """The last words of `before`, as many as were seen with a word after them."""
        longest = tuple(before)[-self.order + 1 :] if self.order > 1 else ()
        return next(longest[i:] for i in range(len(longest) + 1) if longest[i:] in self.following)

    def probability(self, word: str, before: Sequence[str] = ()) -> float:
        """The probability of any word after the words `before`."""
        seen = self.seen(before)
        return self._probability(word, seen, self._spelling(word))

    def probabilities(self, before: Sequence[str] = ()) -> dict[str, float]:
        """The probability of each word of the text after the words `before`, and of all others as OTHER."""
        shares = {word: self.probability(word, before) for word in self.following[()]}
        return shares | {OTHER: 1 - sum(shares.values())}

    def never_seen(self, text: str) -> float:
        """The share of places in a text before which stand `order` - 1 words that were never seen."""
        words, back = split(text), self.order - 1
        seen = [len(self.seen(words[at - back : at])) == back for at in range(back, len(words))]
        return 1 - sum(seen) / len(seen) if seen else 0.0

    def bits(self, text: str) -> list[float]:
        """The surprisal of each word of a text, -log2 of its probability after those before it."""
        words = split(text)
        before = [words[max(at - self.order, 0) : at] for at in range(len(words))]
        return [-log2(self.probability(word, earlier)) for word, earlier in zip(words, before)]

    def bits_per_word(self, text: str) -> float:
        """All bits of a text over the number of its words with letters, as it is for the models."""
        lettered = sum(map(has_letters, split(text)))
        if not lettered:
            raise TextError(_("The text has no words."), _("Give it a sentence."))
        return sum(self.bits(text)) / lettered

    def _probability(self, word: str, before: tuple[str, ...], spelling: float) -> float:
        counts = self.following[before]
        shorter = self._probability(word, before[1:], spelling) if before else spelling
        return (counts[word] + len(counts) * shorter) / (counts.total() + len(counts))

    def _spelling(self, word: str) -> float:
        total = self._letters.total() + BYTES
        return prod((self._letters[letter] + 1) / total for letter in _spelled(word))


def count(text: str, order: int = 3) -> Ngrams:
    """The n-grams of a text, up to `order` words with the one that follows.

    Raises ExplorerError for an order below 1, TextError for a text without words.

    >>> table = count("the bank of the river and the bank of the town", order=2)
    >>> dict(table.following[("the",)])
    {'bank': 2, 'river': 1, 'town': 1}
    >>> table.following[()].total(), round(table.probability("bank", ["the"]), 3)
    (11, 0.336)
    >>> round(table.bits_per_word("the town of the river"), 1)
    2.1
    """
    at_least_one(order=order)
    words = split(text)
    if not any(map(has_letters, words)):
        raise TextError(_("The text has no words to count."), _("Give it a few sentences."))
    following: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for at, word in enumerate(words):
        for back in range(min(order - 1, at) + 1):
            following[tuple(words[at - back : at])][word] += 1
    letters = Counter(letter for word in words for letter in _spelled(word))
    return Ngrams(order, dict(following), letters)


@dataclass(frozen=True)
class Die:
    """The numbers of a die for each word, the most frequent first; a number beyond them is thrown again."""

    faces: int
    numbers: dict[str, range]

    @property
    def used(self) -> int:
        """The last number that stands for a word."""
        return sum(map(len, self.numbers.values()))

    def word(self, number: int) -> str:
        """The word of a number. Raises ExplorerError for one that stands for none."""
        for word, numbers in self.numbers.items():
            if number in numbers:
                return word
        raise ExplorerError(f"No word has the number {number}.", f"Throw again, up to {self.used}.")


def die(counts: Counter[str]) -> Die:
    """A die for counted words: as many numbers for each as say how often it was counted.

    It has 6 or 20 faces, or is made of ten-sided dice: two throw a number up to 100, three up to 1,000.

    >>> die(Counter(bank=2, river=1))
    Die(faces=6, numbers={'bank': range(1, 5), 'river': range(5, 7)})
    """
    total = counts.total()
    faces = next((faces for faces in DICE if faces >= total), 10 ** len(str(total)))
    numbers, first = {}, 1
    for word, count in counts.most_common():
        numbers[word] = range(first, first := first + count * (faces // total))
    return Die(faces, numbers)


def split(text: str) -> list[str]:
    """The words of a text and its punctuation marks, in order, as `analysis.words` has them.

    >>> split("“Don't,” said the miller.")
    ['“', 'Don', "'", 't', ',', '”', 'said', 'the', 'miller', '.']
    """
    words: list[str] = []
    for run in re.finditer(r"\S+", text):
        for at in range(*run.span()):
            if at > run.start() and joined_at(text, at) and "_" not in text[at - 1 : at + 1]:
                words[-1] += text[at]
            else:
                words.append(text[at])
    return words


def _spelled(word: str) -> list[int]:
    return [*word.encode("utf-8", "replace"), END]
