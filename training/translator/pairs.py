"""Sentence pairs: read, written in one way, and split so that no sentence stands in both parts.

A line of the file is an English and a French sentence with a tab between, as in Tatoeba's pairs. One
English sentence may have many translations, and a French one too: a split by lines would put a sentence in
training and its twin aside. Pairs that share a sentence, directly or over others, therefore stay together.
"""

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from explorer.analysis.translation.doubts import words
from explorer.errors import FormatError, NotFoundError

ASIDE = 50  # one group in so many is kept aside: 2 %
# What a keyboard has, for what typesetting has. The same rules are in the tokenizer, for what people type.
PLAIN = str.maketrans(
    {space: " " for space in "\u00a0\u2007\u2009\u200a\u202f\u2002\u2003\t"}
    | {quote: "'" for quote in "‘’ʼ‛′"}
    | {quote: '"' for quote in "“”„«»"}
    | {dash: "-" for dash in "‐‑–—−"}
    | {"…": "...", "\u200b": "", "\u00ad": "", "\ufeff": "", "‽": "?!"}
)

Pair = tuple[str, str]


@dataclass(frozen=True)
class Split:
    """The pairs to learn from, and those kept aside to measure with."""

    train: list[Pair]
    aside: list[Pair]


def plain(text: str) -> str:
    """A sentence with the spaces, quotation marks and dashes of a keyboard.

    >>> plain("J’ai\\u202fdit\\u00a0: «\\u00a0oui\\u00a0»…")
    'J\\'ai dit : " oui "...'
    """
    return " ".join(text.translate(PLAIN).split())


def french(text: str) -> str:
    """A French sentence written in one way: a space before ? ! : ;, none inside of quotation marks.

    >>> french("Quoi?! Il a dit «\\u00a0oui\\u00a0».")
    'Quoi ?! Il a dit "oui".'
    """
    text = re.sub(r"«\s*|\s*»", '"', text)
    return re.sub(r"\s*([?!]+|[:;](?=\s|$))", r" \1", plain(text))


def read(path: Path, other: Callable[[str], str] = french) -> list[Pair]:
    """The different pairs of a file, in its order; `other` writes the second sentence in one way.

    Raises NotFoundError or FormatError.
    """
    if not path.is_file():
        raise NotFoundError(
            f"There is no file {path}.", "Give one with an English sentence and its translation a line."
        )
    pairs: dict[Pair, None] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        texts = line.split("\t")
        if len(texts) < 2:
            raise FormatError(f"Line {number} of {path.name} has no tab.", "Write two sentences a line.")
        pair = plain(texts[0]), other(texts[1])
        if all(pair):
            pairs[pair] = None
    return list(pairs)


def key(sentence: str) -> str:
    """What makes two sentences one and the same: their words, without case and punctuation.

    >>> key("Don't go!") == key("don't go.")
    True
    """
    return " ".join(words(sentence)) or sentence


def groups(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    """Pairs that share a sentence, directly or over others, under the least of their sentences' keys."""
    above: dict[str, str] = {}

    def root(sentence: str) -> str:
        while above.setdefault(sentence, sentence) != sentence:
            above[sentence] = above[above[sentence]]
            sentence = above[sentence]
        return sentence

    pairs = list(pairs)
    for english, translation in pairs:
        one, other = root(f"en {key(english)}"), root(f"fr {key(translation)}")
        above[max(one, other)] = min(one, other)  # so that a root is the least of its group
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(root(f"en {key(pair[0])}"), []).append(pair)
    return found


def split(pairs: Iterable[Pair]) -> Split:
    """The frozen rule: a group is kept aside if the SHA-256 of its least key is divisible by 50."""
    kept = Split([], [])
    for name, group in groups(pairs).items():
        aside = int(hashlib.sha256(name.encode()).hexdigest(), 16) % ASIDE == 0
        (kept.aside if aside else kept.train).extend(group)
    return kept


class Neighbours:
    """Whether some sentence is within one word of another: one replaced, left out or put in.

    >>> near = Neighbours(["Tom is a good man."])
    >>> near.of("Tom is a bad man."), near.of("Tom is good man!"), near.of("Tom was a bad man.")
    (True, True, False)
    """

    def __init__(self, sentences: Iterable[str]) -> None:
        self._whole: set[str] = set()
        self._shorter: set[str] = set()
        self._replaced: set[str] = set()
        for sentence in sentences:
            said = words(sentence)
            self._whole.add(" ".join(said))
            self._shorter.update(_without(said))
            self._replaced.update(_with_gap(said))

    def of(self, sentence: str) -> bool:
        """Whether one of the sentences is the same, or is one word away."""
        said = words(sentence)
        whole = " ".join(said)
        return (
            whole in self._whole
            or whole in self._shorter
            or not self._whole.isdisjoint(_without(said))
            or not self._replaced.isdisjoint(_with_gap(said))
        )


def _without(said: list[str]) -> list[str]:
    return [" ".join(said[:i] + said[i + 1 :]) for i in range(len(said))]


def _with_gap(said: list[str]) -> list[str]:
    return [" ".join([*said[:i], "*", *said[i + 1 :]]) for i in range(len(said))]
