"""Sentence pairs of a file, normalised, and split so that training and held-out pairs share no sentence.

A line of the file is an English sentence, a tab and its translation, as in Tatoeba's pairs. A sentence may
have many translations. Pairs that share a sentence, directly or through other pairs, therefore form a group
that is trained on or held out as a whole. Both rules below are frozen: shipped weights depend on them.
"""

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from explorer.analysis.translation.doubts import words
from explorer.errors import FormatError, NotFoundError

HELD_OUT_SHARE = 50  # one group in 50 of the French pairs is held out
HELD_OUT_CHINESE = 1000  # groups of the Chinese pairs
# Characters of typesetting to those of a keyboard. The tokenizer has the same rules.
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
    """Pairs to train on and pairs to measure with."""

    train: list[Pair]
    held_out: list[Pair]


def plain(text: str) -> str:
    """Sentence with a keyboard's spaces, quotation marks and dashes.

    >>> plain("J’ai\\u202fdit\\u00a0: «\\u00a0oui\\u00a0»…")
    'J\\'ai dit : " oui "...'
    """
    return " ".join(text.translate(PLAIN).split())


def french(text: str) -> str:
    """French sentence with a space before ? ! : ; and none inside quotation marks.

    >>> french("Quoi?! Il a dit «\\u00a0oui\\u00a0».")
    'Quoi ?! Il a dit "oui".'
    """
    text = re.sub(r"«\s*|\s*»", '"', text)
    return re.sub(r"\s*([?!]+|[:;](?=\s|$))", r" \1", plain(text))


def read(path: Path, normalise: Callable[[str], str] = french) -> list[Pair]:
    """Distinct pairs of a file in its order; `normalise` is applied to the second sentence.

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
        pair = plain(texts[0]), normalise(texts[1])
        if all(pair):
            pairs[pair] = None
    return list(pairs)


def key(sentence: str) -> str:
    """Words of a sentence without case and punctuation: equal for sentences that count as the same.

    >>> key("Don't go!") == key("don't go.")
    True
    """
    return " ".join(words(sentence)) or sentence


def groups(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    """Groups of pairs that share a sentence, by the least key of their sentences."""
    parent: dict[str, str] = {}

    def root(sentence: str) -> str:
        while parent.setdefault(sentence, sentence) != sentence:
            parent[sentence] = parent[parent[sentence]]
            sentence = parent[sentence]
        return sentence

    pairs = list(pairs)
    for english, translation in pairs:
        first, second = root(f"en {key(english)}"), root(f"fr {key(translation)}")
        parent[max(first, second)] = min(first, second)  # a root is the least key of its group
    members: dict[str, list[Pair]] = {}
    for pair in pairs:
        members.setdefault(root(f"en {key(pair[0])}"), []).append(pair)
    return members


def split(pairs: Iterable[Pair]) -> Split:
    """Split that holds out a group if the SHA-256 of its least key is divisible by 50."""
    parts = Split([], [])
    for name, group in groups(pairs).items():
        is_held_out = int(hashlib.sha256(name.encode()).hexdigest(), 16) % HELD_OUT_SHARE == 0
        (parts.held_out if is_held_out else parts.train).extend(group)
    return parts


def split_chinese(path: Path, count: int) -> Split:
    """Split of a file of English and Chinese sentences.

    The `count` groups whose least key has the smallest SHA-256 are held out, and the first pair of each is
    in the test. Raises NotFoundError or FormatError.
    """
    members = groups(read(path, lambda text: " ".join(text.split())))
    order = sorted(members, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    train = [pair for name in order[count:] for pair in members[name]]
    return Split(train, [members[name][0] for name in order[:count]])


class Neighbours:
    """Sentences to compare with: is one the same, or one word away (replaced, removed or added)?

    >>> near = Neighbours(["Tom is a good man."])
    >>> near.of("Tom is a bad man."), near.of("Tom is good man!"), near.of("Tom was a bad man.")
    (True, True, False)
    """

    def __init__(self, sentences: Iterable[str]) -> None:
        self._whole: set[str] = set()
        self._shorter: set[str] = set()
        self._replaced: set[str] = set()
        for sentence in sentences:
            tokens = words(sentence)
            self._whole.add(" ".join(tokens))
            self._shorter.update(_without(tokens))
            self._replaced.update(_with_gap(tokens))

    def of(self, sentence: str) -> bool:
        """Whether one of the sentences is the same or one word away."""
        tokens = words(sentence)
        whole = " ".join(tokens)
        return (
            whole in self._whole
            or whole in self._shorter
            or not self._whole.isdisjoint(_without(tokens))
            or not self._replaced.isdisjoint(_with_gap(tokens))
        )


def _without(tokens: list[str]) -> list[str]:
    return [" ".join(tokens[:i] + tokens[i + 1 :]) for i in range(len(tokens))]


def _with_gap(tokens: list[str]) -> list[str]:
    return [" ".join([*tokens[:i], "*", *tokens[i + 1 :]]) for i in range(len(tokens))]
