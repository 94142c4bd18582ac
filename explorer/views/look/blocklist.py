"""The block list: slurs and strong vulgarity that a bundled model predicts are shown as dots.

    blocked = over("bert", "She said [MASK].")       bundled: on; hub and folder models: off
    covers(blocked, "She said ", token, ".")         whether this candidate is shown as dots
    written(blocked, [" n", "ice"], before="How")    a growing text, piece by piece, as it is shown

It changes the display only: a blocked token keeps its place, probability and rank, and sampling may draw
it. Whole words are compared with the list, so the pieces of a word are covered together once the last
one is there; Chinese, which has no spaces, is searched for its listed words. Words that the person typed
are shown.
"""

import codecs
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from explorer import assets
from explorer.assets import TEXTS, read_once
from explorer.locale import N_
from explorer.text.letters import LETTERS

LIST, LIST_CHINESE = TEXTS / "blocklist.txt", TEXTS / "blocklist_chinese.txt"
DOTS = "•••"
WHY = N_("a word this page does not show")
WORD = regex.compile(LETTERS)
REACH = 40  # characters on either side of a piece that are compared; no listed word is as long


@dataclass(frozen=True)
class Blocklist:
    """The block list of a page: it blocks nothing unless `on`, and none of the `typed_words`.

    `typed_chinese` are the listed Chinese words that were typed.
    """

    on: bool
    typed_words: frozenset[str]
    typed_chinese: frozenset[str] = frozenset()

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The blocked words of a text, as (start, end) characters."""
        if not self.on:
            return []
        words = [match.span() for match in WORD.finditer(text) if self._blocks(match.group().casefold())]
        chinese = [
            match.span()
            for match in _chinese_pattern().finditer(text)
            if match.group().replace(" ", "") not in self.typed_chinese
        ]
        return sorted(words + chinese)

    def _blocks(self, word: str) -> bool:
        return word in listed() and word not in self.typed_words


def over(checkpoint: str, *typed_texts: str) -> Blocklist:
    """The block list for a checkpoint (its string) beside texts that the person typed."""
    words = {word.casefold() for text in typed_texts for word in WORD.findall(text)}
    chinese = frozenset(word for word in listed_chinese() if any(word in text for text in typed_texts))
    return Blocklist(":" not in checkpoint, frozenset(words), chinese)


def covers(blocked: Blocklist, before: str, token: str, after: str = "") -> bool:
    """Whether a candidate between two texts would be a blocked word or a part of one.

    A WordPiece such as `##ing` joins the word before it.
    """
    if token.startswith("##"):
        before, token = before.rstrip(), token[2:]
    before = before[-REACH:]
    start, end = len(before), len(before) + len(token)
    return any(s < end and start < e for s, e in blocked.spans(before + token + after[:REACH]))


def covers_piece(blocked: Blocklist, tokens: Sequence[str], at: int, token: str) -> bool:
    """Whether a WordPiece at position `at` of `tokens` would be a blocked word or a part of one."""
    pieces = [piece[2:] if joins(piece) else f" {piece}" for piece in tokens]
    before, after = "".join(pieces[:at])[-REACH:], "".join(pieces[at + 1 :])[:REACH]
    return covers(blocked, f"{before} ", token, after)


def joins(token: str) -> bool:
    """Whether a WordPiece continues the word before it: `##ing` does, `##` alone is a token of its own."""
    return token.startswith("##") and len(token) > 2


def written(blocked: Blocklist, pieces: Sequence[str], before: str = "") -> list[str]:
    """The pieces of a text as they are shown: the letters of blocked words become dots.

    `before` is the text in front of them, which may end in the beginning of the first word.
    """
    at = len(before[-REACH:])
    spans = blocked.spans(before[-REACH:] + "".join(pieces))
    pieces_shown = []
    for piece in pieces:
        inside = [(max(s - at, 0), min(e - at, len(piece))) for s, e in spans]
        text = piece
        for start, end in reversed([(s, e) for s, e in inside if s < e]):
            text = text[:start] + DOTS + text[end:]
        pieces_shown.append(text)
        at += len(piece)
    return pieces_shown


@read_once
def listed() -> frozenset[str]:
    """The words of the list, with their plurals."""
    lines = assets.text(LIST).splitlines()
    words = [codecs.decode(line, "rot13") for line in lines if line and not line.startswith("#")]
    return frozenset(form for word in words for form in (word, *_plurals(word)))


@read_once
def listed_chinese() -> frozenset[str]:
    """The words of the Chinese list."""
    lines = assets.text(LIST_CHINESE).splitlines()
    return frozenset(
        "".join(chr(int(number, 16)) for number in line.split())
        for line in lines
        if line and not line.startswith("#")
    )


@read_once
def _chinese_pattern() -> "regex.Pattern[str]":
    """The listed Chinese words, the longest first; the tokens of a text may be separated by spaces."""
    words = sorted(listed_chinese(), key=lambda word: (-len(word), word))
    return regex.compile("|".join(" ?".join(word) for word in words))


def _plurals(word: str) -> list[str]:
    """The regular plurals of a word.

    >>> _plurals("fox"), _plurals("bully")
    (['foxs', 'foxes'], ['bullys', 'bullies'])
    """
    endings = [word + "s"]
    if word.endswith(("s", "x", "z", "ch", "sh")):
        endings.append(word + "es")
    if word.endswith("y"):
        endings.append(word[:-1] + "ies")
    return endings
