"""Tokens grouped into words.

un ##believ ##ably    one word of three WordPieces (BERT)
Ġun believ ably       one word of three byte pieces (GPT); Ġ is the space before it
don ' t               three words: punctuation is a word of its own
"""

from dataclasses import dataclass

from explorer.text.letters import end_of_marks, is_invisible, joined_at
from explorer.trace import Encoding


@dataclass(frozen=True, eq=False)
class Word:
    """A word of the text: its characters and the positions of its tokens.

    `start` and `end` are characters of the text, or of the second text if `side` is 1. A special token is a
    word of its own, with an empty span if it is outside the text.

    >>> word = words(explorer.load("bert").encode("Two riverbanks"))[2]
    >>> word.text, (word.start, word.end), word.positions
    ('riverbanks', (4, 14), [2, 3, 4])
    """

    text: str
    start: int
    end: int
    positions: list[int]
    side: int = 0
    special: bool = False


def words(encoding: Encoding) -> list[Word]:
    """The words of an encoding, in order; every token belongs to exactly one.

    Uses the spans, and so works for every tokenizer: a piece joins the word before it if it is a continuation
    (`##ing`), if there is no space or punctuation between them, or if both are bytes of one character. A
    space alone joins the word after it. In a script without spaces, such as Chinese, each piece is a word.

    >>> [word.text for word in words(explorer.load("gpt").encode("Unbelievable riverbanks!"))]
    ['Unbelievable', 'riverbanks', '!']
    """
    groups: list[list[int]] = []
    for position in range(len(encoding)):
        if groups and _joins(encoding, position):
            groups[-1].append(position)
        else:
            groups.append([position])
    return [_word(encoding, group) for group in groups]


def _joins(encoding: Encoding, position: int) -> bool:
    before = position - 1
    if encoding.special[before] or encoding.special[position]:
        return False
    if encoding.side(before) != encoding.side(position):
        return False
    (start_before, end_before), (start, _) = encoding.spans[before], encoding.spans[position]
    if start < end_before or start == start_before:
        return True
    if start == end_before and encoding.surface(before) == " ":  # `Ġ` before the bytes of a letter
        return not encoding.surface(position)[:1].isspace()
    source = encoding.source(position)
    left, right = source[start - 1 : start], encoding.surface(position)[:1]
    # An uncased BERT drops accents and invisible characters: they are in no token.
    if not is_invisible(source[end_before:start]) or not left or not right:
        return False
    # GPT's vocabulary has a token "##", which is not a continuation mark.
    if encoding.tokens[position].startswith("##") and source[start] != "#":
        return True
    return joined_at(source, start) and "_" not in source[start - 1 : start + 1]


def _word(encoding: Encoding, positions: list[int]) -> Word:
    first, last = positions[0], positions[-1]
    side = encoding.side(first)
    if encoding.special[first]:
        return Word(encoding.tokens[first], *encoding.spans[first], positions, side, special=True)
    source = encoding.source(first)
    start = encoding.spans[first][0]
    end = max(encoding.spans[position][1] for position in (first, last))
    end = end_of_marks(source, end, _start_after(encoding, last, len(source)))
    text = source[start:end]
    if text.strip():  # a byte piece includes the space before its word
        start += len(text) - len(text.lstrip())
        text = text.strip()
        end = start + len(text)
    return Word(text, start, end, positions, side)


def _start_after(encoding: Encoding, position: int, last: int) -> int:
    """The start of the next token of the same text, or else `last`."""
    after = position + 1
    same = after < len(encoding) and not encoding.special[after]
    if same and encoding.side(after) == encoding.side(position):
        return encoding.spans[after][0]
    return last
