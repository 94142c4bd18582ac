"""Whole words, for a model with one vector per word (word2vec).

    "The king's 3 ships."  ->  the  king  's  3  ships        “.” is not in the vocabulary

A word outside the vocabulary has no vector, and so it is not a token: it is skipped,
as word2vec's own training skips rare words. `split` yields these words too.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise, product

import regex
import torch

from explorer.errors import TextError
from explorer.text.folding import fold, places_by_fold, straighten, variants
from explorer.text.letters import LETTERS_AND_DIGITS as RUN
from explorer.text.letters import has_letters, has_unspaced, is_hangul, is_letters, joined_at
from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.near_words import Unread, hint_for
from explorer.tokenizers.texts import join_words, well_formed
from explorer.trace import Ability, Encoding

# Letters and digits, with an apostrophe inside (don't); a possessive 's is a word, and so is
# any other sign. A number keeps its points and commas.
_PATTERN = r"\d+(?:[.,]\d+)+|'[sS](?!%s|_)|%s(?:'(?![sS](?!%s|_))%s)*|\S"
_WORD = regex.compile(_PATTERN.replace("%s", RUN))
_ASCII_WORD = re.compile(_PATTERN.replace("%s", "[a-zA-Z0-9]+"))  # three times as fast
LONGEST = 16  # characters of a word in a script without spaces
CLASS = "WordTokenizer"  # the name in tokenizer_config.json
# A string between spaces with a sign in it: e-mail, c++, new_york, צה"ל.
_SIGNED = regex.compile(r"(?V1)(?<!\S)[\p{L}\p{N}\p{M}--[ʻʼ]]*+[\S--[[\p{L}\p{N}\p{M}]--[ʻʼ]]]\S*+")
_ASCII_SIGNED = re.compile(r"(?<!\S)[a-zA-Z0-9]*+[^\sa-zA-Z0-9]\S*+")
_EDGES = regex.compile(r"([^\s\p{L}\p{N}\p{M}]*).*?([^\s\p{L}\p{N}\p{M}]*)", regex.DOTALL)
MOST_SIGNS = 3  # around a word with a sign, as in ("e-mail").
LONGEST_SIGNED = 60
_HANGUL_OR_OTHER = regex.compile(r"\p{Hangul}++|\P{Hangul}++")
_CLUSTER = regex.compile(r"\X")
# English endings after an apostrophe, which are not words.
_CLITICS = frozenset("s t d m ll re ve".split())
# How treebank-like vocabularies split don't and we'll.
ENDING = regex.compile(rf"(.+?)(n't|'{RUN})", regex.IGNORECASE)


@dataclass(frozen=True)
class Piece:
    """A word of a text: its characters, its spelling in the vocabulary, and its row, None if it has none."""

    span: tuple[int, int]
    word: str
    id: int | None


class WordTokenizer(Tokenizer):
    """Splits a text into the words of a vocabulary.

    With `lowercase`, King and KING are king. Without it (a cased vocabulary), a word
    is looked up as it is written, and then in lower case. If the vocabulary has a word
    twice, the first one counts.
    """

    unread: Unread | None = None  # of a file that has more words

    def __init__(self, words: Sequence[str], lowercase: bool = True) -> None:
        self.words, self.lowercase = list(words), lowercase
        self.places = {word: i for i, word in reversed(list(enumerate(self.words)))}
        self.byte_level = False
        self.unknown = self.mask = self.start = None
        self.padding = 0
        self.special_ids: frozenset[int] = frozenset()

    @property
    def size(self) -> int:
        """The number of words, d_vocab."""
        return len(self.words)

    @property
    def highest(self) -> int:
        """The last row."""
        return len(self.words) - 1

    def allows(self) -> Ability:
        """All: a vocabulary of words rules out none."""
        return ~Ability.NONE

    def encode(self, text: str, pair: str | None = None, limit: int | None = None) -> Encoding:
        """The words of a text that are in the vocabulary (there are no pairs), at most `limit` of them.

        Raises TextError if a text has words, but none in the vocabulary.
        """
        text = well_formed(text)
        return self._encoding(text, list(self.split(text)), limit)

    def encode_words(self, words: Sequence[str], limit: int | None = None) -> Encoding:
        """Encode words as they are, such as `New_York`; those without a vector are skipped.

        Raises as `encode` does.
        """
        text, spans = join_words(words)
        pieces = [Piece(span, *self._lookup(word)) for word, span in zip(words, spans, strict=True)]
        return self._encoding(text, pieces, limit)

    def _encoding(self, text: str, pieces: list[Piece], limit: int | None) -> Encoding:
        rows = [(piece.id, piece) for piece in pieces if piece.id is not None]
        if text.strip() and not rows:
            raise self._no_word(pieces)
        first = rows[:limit]
        return Encoding(
            text=text,
            tokens=[self.words[id] for id, _ in first],
            ids=torch.tensor([id for id, _ in first], dtype=torch.long),
            spans=[piece.span for _, piece in first],
            special=torch.zeros(len(first), dtype=torch.bool),
            segments=torch.zeros(len(first), dtype=torch.long),
            truncated=len(rows) - len(first),
        )

    def split(self, text: str) -> Iterator[Piece]:
        """Every word of a text, also unknown ones; other signs only if the vocabulary has them."""
        straight, place = straighten(text), 0
        for start, end in self._signed(text):
            yield from self._between(text, straight, place, start)
            yield self._piece(text, start, end)
            place = end
        yield from self._between(text, straight, place, len(text))

    def _signed(self, text: str) -> Iterator[tuple[int, int]]:
        """The spans of words with a sign in them that the vocabulary has as a whole."""
        for match in (_ASCII_SIGNED if text.isascii() else _SIGNED).finditer(text):
            if len(match[0]) > LONGEST_SIGNED:
                continue
            edges = _EDGES.fullmatch(match[0])
            lefts, rights = (range(min(len(edges[i]), MOST_SIGNS) + 1) for i in (1, 2))
            for left, right in sorted(product(lefts, rights), key=sum):
                start, end = match.start() + left, match.end() - right
                word = text[start:end]
                if word and not is_letters(straighten(word)) and self.id(word) is not None:
                    yield start, end
                    break

    def _between(self, text: str, straight: str, first: int, last: int) -> Iterator[Piece]:
        for match in _pattern(text).finditer(straight, first, last):
            start, end = match.span()
            word = text[start:end]
            id = self.id(word)
            if id is not None:
                yield self._piece(text, start, end)
            elif split := self._split_point(match[0]):
                elided = straight[start + split - 1] == "'" and self.id(text[start : start + split]) is None
                yield self._piece(text, start, start + split - elided)
                yield self._piece(text, start + split, end)
            elif has_unspaced(word):
                yield from self._longest(text, start, end)
            elif any(map(is_hangul, word)):
                yield from self._before_particles(text, start, end)
            elif has_letters(word[0]):
                yield self._piece(text, start, end)

    def _split_point(self, word: str) -> int:
        """The offset that splits a word in two: before an ending (we|'ll), after an elision (l'|eau).

        0 if the rest is not in the vocabulary.
        """
        if len(word) > LONGEST_SIGNED:
            return 0
        ending = ENDING.fullmatch(word) if "'" in word else None
        if ending and self.id(ending[1]) is not None and self.id(ending[2]) is not None:
            return int(ending.end(1))
        after = (i + 1 for i, char in enumerate(word) if char == "'")
        return next((i for i in after if word[i:] not in _CLITICS and self.id(word[i:]) is not None), 0)

    def _longest(self, text: str, start: int, end: int) -> Iterator[Piece]:
        """Words of a text without spaces: at each offset the longest in the vocabulary (maximum matching)."""
        places = [i for i in range(start, end) if i == start or not joined_at(text, i)] + [end]
        folded = [fold(text[first:last]) for first, last in pairwise(places)]
        first = unknown = 0
        while first < len(places) - 1:
            lasts = range(min(first + LONGEST, len(places) - 1), first, -1)
            likely = (last for last in lasts if self._has("".join(folded[first:last])))
            matches = (last for last in likely if self.id(text[places[first] : places[last]]) is not None)
            last = next(matches, None)
            if last is not None:
                if unknown < first:
                    yield self._piece(text, places[unknown], places[first])
                yield self._piece(text, places[first], places[last])
                unknown = last
            first = last or first + 1
        if unknown < first:
            yield self._piece(text, places[unknown], places[first])

    def _has(self, folded: str) -> bool:
        """Whether a word may be in the vocabulary, by its folded form: faster than trying every spelling."""
        return folded in self.places or folded in self._by_fold or not has_unspaced(folded)

    def _before_particles(self, text: str, start: int, end: int) -> Iterator[Piece]:
        """The longest prefix of a Korean word in the vocabulary, without the particle attached to it."""
        runs = [match.span() for match in _HANGUL_OR_OTHER.finditer(text, start, end)]
        for first, last in runs:
            clusters = islice(_CLUSTER.finditer(text, first, last), LONGEST)
            ends = [cluster.end() for cluster in clusters] if is_hangul(text[first]) else [last]
            longest = next((e for e in reversed(ends) if self.id(text[first:e]) is not None), None)
            if longest is not None:
                yield self._piece(text, first, longest)
            elif first == start or not is_hangul(text[first]):
                yield self._piece(text, first, last)

    def _piece(self, text: str, start: int, end: int) -> Piece:
        return Piece((start, end), *self._lookup(text[start:end]))

    def id(self, token: str) -> int | None:
        """The row of a word, or None; the last attempt is by its folded form."""
        for form in variants(token):
            if not self.lowercase and form in self.places:
                return self.places[form]
            if (lower := form.lower()) in self.places:
                return self.places[lower]
        return self._by_fold.get(fold(token))

    @cached_property
    def _by_fold(self) -> dict[str, int]:
        return places_by_fold(self.words)

    def token(self, id: int) -> str:
        """The word of a row."""
        return self.words[id]

    def readable(self, id: int) -> str:
        """The word of a row."""
        return self.words[id]

    def raw(self, id: int, before: int | None = None) -> bytes:
        """The bytes of a word."""
        return self.words[id].encode()

    def decode(self, ids: list[int]) -> str:
        """Words joined by spaces; skipped words are missing."""
        return " ".join(self.words[id] for id in ids)

    def pieces(self, word: str) -> list[int]:
        """The rows of a word's parts that are in the vocabulary."""
        return [piece.id for piece in self.split(word) if piece.id is not None]

    def _no_word(self, pieces: list[Piece]) -> TextError:
        if not pieces:
            return TextError("There is no word in this text.", "Type one.")
        which = f"“{pieces[0].word}” is not" if len(pieces) == 1 else "None of these words is"
        otherwise = "Try a more common word, in the language of the model."
        hint = hint_for(pieces[0].word, self.words, self.unread, otherwise)
        return TextError(f"{which} among the {self.size:,} words that have a vector here.", hint)

    def _lookup(self, text: str) -> tuple[str, int | None]:
        id = self.id(text)
        return (text, None) if id is None else (self.words[id], id)


def _pattern(text: str) -> "re.Pattern[str] | regex.Pattern[str]":
    return _ASCII_WORD if text.isascii() else _WORD


def running_words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation, to count a vocabulary from."""
    return [
        word
        for word in _pattern(text).findall(straighten(text).lower())
        if len(word) > 1 or has_letters(word)
    ]


def most_frequent(texts: Iterable[str], most: int, least_count: int = 1) -> list[tuple[str, int]]:
    """The words of some texts with their counts, most frequent first; ties in alphabetical order."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(running_words(text))
    frequent = [item for item in counts.items() if item[1] >= least_count]
    return sorted(frequent, key=lambda item: (-item[1], item[0]))[:most]
