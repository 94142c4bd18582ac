"""A text cut into passages, the units that a search finds."""

from explorer.corpus import splitting
from explorer.errors import TextError
from explorer.files.lines import lines_of
from explorer.locale import _
from explorer.text.words import word_starts

LONGEST_WORD = 20  # characters of a window, for each of its words
MOST_WORDS = 200  # of a window: a sentence encoder reads no more than a few hundred tokens


def cut(text: str, words: int = 0, overlap: int = 0) -> list[str]:
    """The sentences of a text, or windows of so many `words`; each repeats the last `overlap` words
    of the one before. Without spaces between words, a character counts as one.

    Passages that are equal come once. A sentence over 500 characters comes in parts, and so does a window of
    words that are no words, such as a line without spaces.
    Raises TextError for an overlap that leaves a window no word of its own.

    >>> cut("We sat down. It rained. We sat down.")
    ['We sat down.', 'It rained.']
    >>> cut("We sat on the bank.", words=3, overlap=1)
    ['We sat on', 'on the bank.']
    """
    if words and not 0 <= overlap < words <= MOST_WORDS:
        raise TextError(
            _("A window of {words} words cannot repeat {overlap}.", words=words, overlap=overlap),
            _("Take up to {most} words, and fewer of them to repeat.", most=MOST_WORDS),
        )
    lines = lines_of(text)
    if not words:
        wrapped = splitting.are_wrapped(text)
        return list(dict.fromkeys(splitting.sentences((f"{line}\n" for line in lines), wrapped)))
    starts = [*word_starts(text), len(text)]
    firsts = range(0, max(len(starts) - 1 - overlap, 1), words - overlap)
    ends = (min(first + words, len(starts) - 1) for first in firsts)
    windows = (
        " ".join(text[starts[first] : starts[end]].split()) for first, end in zip(firsts, ends, strict=True)
    )
    return list(
        dict.fromkeys(
            part
            for window in windows
            for part in ([window] if len(window) <= LONGEST_WORD * words else splitting.parts(window))
        )
    )
