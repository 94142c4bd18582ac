"""The characters of each token: corrections of the backend's offsets, and truncation."""

from collections.abc import Mapping, Sequence
from unicodedata import category, combining

SPACES = "Ġ▁"  # how GPT's alphabet of bytes and SentencePiece write a space
MASK = "[MASK]"  # how a blank is written, whatever the model's own token for it is


def without_mark(token: str, span: tuple[int, int], text: str) -> tuple[int, int]:
    """A token's span, which is empty for the mark of a space that was added before the text.

    The backend gives that mark the span of the letter after it.
    """
    start, end = span
    alone = token != "" and set(token) <= set(SPACES) and not text[start:end].isspace()
    return (start, start) if alone and text[start:end] != token else span


def with_accents(
    offsets: list[tuple[int, int]], texts: list[str], special: list[int]
) -> list[tuple[int, int]]:
    """Spans extended over the combining accents that the normalizer removed after a token."""
    spans = []
    for i, (start, end) in enumerate(offsets):
        if special[i]:
            spans.append((0, 0))
            continue
        text = texts[i]
        following = offsets[i + 1][0] if i + 1 < len(offsets) and not special[i + 1] else len(text)
        while end < following and combining(text[end]):
            end += 1
        spans.append((start, end))
    return spans


def without_gaps(
    offsets: list[tuple[int, int]], texts: list[str], sequences: list[int | None]
) -> list[tuple[int, int]]:
    """Spans extended over the characters that a normalizer joined to a token."""
    spans = list(offsets)
    following: dict[int, int] = {}  # the start of the next token in each text
    for i in range(len(spans) - 1, -1, -1):
        if (number := sequences[i]) is not None:
            start, end = spans[i]
            spans[i] = (start, max(end, following.get(number, len(texts[i]))))
            following[number] = start
    return spans


def sides_of(sequences: list[int | None]) -> list[int]:
    """The text (0 or 1) of each token; a token of the frame belongs to the text before it, if any."""
    sides, last = [], 0
    for number in sequences:
        last = last if number is None else number
        sides.append(last)
    return sides


def origins(text: str, mask: str, characters: Mapping[int, str]) -> list[tuple[int, int]]:
    """For each character that a backend reads, the span of the text that it is written for.

    `mask` is written for a blank, and `characters` says what is written for a character.

    >>> origins("½ [MASK]", "<m>", {ord("½"): "1/2"})
    [(0, 1), (0, 1), (0, 1), (1, 2), (2, 8), (2, 8), (2, 8)]
    """
    spans: list[tuple[int, int]] = []
    at = 0
    for i, part in enumerate(text.split(MASK)):
        if i:
            spans += [(at, at + len(MASK))] * len(mask)
            at += len(MASK)
        for place, char in enumerate(part, at):
            spans += [(place, place + 1)] * len(characters.get(ord(char), char))
        at += len(part)
    return spans


def in_text(span: tuple[int, int], origins: Sequence[tuple[int, int]], length: int) -> tuple[int, int]:
    """A span of what a backend reads, as one of the text, which has so many characters."""
    start, end = span
    first = origins[start][0] if start < len(origins) else length
    return (first, origins[end - 1][1] if end > start else first)


def count_dropped(text: str, spans: list[tuple[int, int]]) -> int:
    """The number of visible characters outside all spans."""
    dropped = at = 0
    for start, end in [*spans, (len(text), len(text))]:
        gap = text[at:start]
        if gap and not gap.isspace():
            dropped += sum(category(char)[0] not in "ZCM" for char in gap)
        at = max(at, end)
    return dropped


def truncate(special: list[int], sequences: list[int | None], limit: int) -> list[int]:
    """The positions of an encoding truncated to `limit` tokens; special tokens always stay."""
    frame = [i for i, flag in enumerate(special) if flag]
    first, second = ([i for i, s in enumerate(sequences) if s == side and not special[i]] for side in (0, 1))
    room = max(limit - len(frame), 0)
    while len(first) + len(second) > room:
        (first if len(first) >= len(second) else second).pop()
    return sorted(frame + first + second)
