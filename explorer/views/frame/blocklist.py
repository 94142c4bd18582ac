"""The block list: slurs and strong vulgarity that a bundled model predicts are shown as dots.

    blocked = over("bert", "She said [MASK].")       bundled: on; hub and folder models: off
    covers(blocked, "She said ", token, ".")         is this candidate to be drawn as dots?
    written(blocked, [" n", "ice"], before="How")    a growing text, piece by piece, as it is shown

Display only: a blocked token keeps its place, probability and rank, may be drawn by sampling like
any other, and the analyses know nothing of this. Words are judged whole, as they stand now, so the
pieces of one are covered together once the last is there. What a person typed is shown.
"""

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import regex

from explorer import assets
from explorer.assets import TEXTS
from explorer.text.letters import LETTERS

LIST = TEXTS / "blocklist.txt"
DOTS = "•••"
WHY = "a word this page does not show"
WORD = regex.compile(LETTERS)
REACH = 40  # letters looked at on either side of a piece; no listed word is as long


@dataclass(frozen=True)
class Blocklist:
    """The block list of one page: it blocks nothing unless `on`, and no word that the person `typed`."""

    on: bool
    typed: frozenset[str]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where the blocked words of a text are, as (start, end) characters."""
        if not self.on:
            return []
        return [found.span() for found in WORD.finditer(text) if self._blocks(found.group().casefold())]

    def _blocks(self, word: str) -> bool:
        return word in listed() and word not in self.typed


def over(checkpoint: str, *typed: str) -> Blocklist:
    """The block list for a checkpoint (its string) beside texts that the person typed."""
    words = {word.casefold() for text in typed for word in WORD.findall(text)}
    return Blocklist(on=":" not in checkpoint, typed=frozenset(words))


def covers(blocked: Blocklist, before: str, token: str, after: str = "") -> bool:
    """Whether a candidate, set between two texts, would stand there as a blocked word or a part of one.

    A WordPiece such as `##ing` joins the word before it.
    """
    if token.startswith("##"):
        before, token = before.rstrip(), token[2:]
    before = before[-REACH:]
    start, end = len(before), len(before) + len(token)
    return any(s < end and start < e for s, e in blocked.spans(before + token + after[:REACH]))


def covers_piece(blocked: Blocklist, tokens: Sequence[str], at: int, token: str) -> bool:
    """Whether a WordPiece, set at a place among others, would be a blocked word there or a part of one."""
    pieces = [one[2:] if joins(one) else f" {one}" for one in tokens]
    before, after = "".join(pieces[:at])[-REACH:], "".join(pieces[at + 1 :])[:REACH]
    return covers(blocked, f"{before} ", token, after)


def joins(token: str) -> bool:
    """Whether a WordPiece continues the word before it: `##ing` does, `##` alone is a token of its own."""
    return token.startswith("##") and len(token) > 2


def written(blocked: Blocklist, pieces: Sequence[str], before: str = "") -> list[str]:
    """The pieces of a text as they are shown: letters of blocked words, in every piece, become dots.

    `before` is text that stands in front and may hold the beginning of the first word.
    """
    at = len(before[-REACH:])
    spans = blocked.spans(before[-REACH:] + "".join(pieces))
    shown = []
    for piece in pieces:
        inside = [(max(s - at, 0), min(e - at, len(piece))) for s, e in spans]
        text = piece
        for start, end in reversed([(s, e) for s, e in inside if s < e]):
            text = text[:start] + DOTS + text[end:]
        shown.append(text)
        at += len(piece)
    return shown


@cache
def listed() -> frozenset[str]:
    """The words of the list, with their plurals."""
    lines = assets.text(LIST).splitlines()
    words = [codecs.decode(line, "rot13") for line in lines if line and not line.startswith("#")]
    return frozenset(form for word in words for form in (word, *_plurals(word)))


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
