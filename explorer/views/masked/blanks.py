"""A sentence with blanks, and what clicks do to it: hide a word, put it back, fill in a blank.

A blank is [MASK] in the text. The words that clicks hid are kept beside the text, one entry for each
blank ("" if its word is not known), so that a second click puts them back. Every change returns new
settings: {"text", "words", "blank"}, where `blank` is the number of the chosen blank.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from explorer.views.settings.setting import LIVE_TOKENS
from explorer.views.types import Encoding, Model, Word

MASK = "[MASK]"
PARTS = re.compile(r"\[MASK\]|(?:(?!\[MASK\]).)+", re.DOTALL)


@dataclass(frozen=True, eq=False)
class Sentence:
    """A text as the page reads it.

    `read` is the part within LIVE_TOKENS, `encoding` its tokens and `words` its words. `numbers` maps
    the index of a word that is a blank to the blank's number, from 0. `hidden` has an entry for each
    blank of the whole text. `blank` is the number of the chosen one.
    """

    text: str
    read: str
    encoding: "Encoding"
    words: "list[Word]"
    numbers: dict[int, int]
    hidden: list[str]
    blank: int

    @property
    def beyond(self) -> int:
        """How many blanks are in the part that is not read."""
        return self.text.count(MASK) - len(self.numbers)


def read(model: "Model", text: str, hidden: Sequence[str], blank: int) -> Sentence:
    """Read a text with a model's tokenizer; `hidden` and `blank` may come from an old link."""
    from explorer.analysis.words import words

    encoding = model.encode(text, limit=LIVE_TOKENS)
    end = max(end for _, end in encoding.spans)
    all_words = cut_at_blanks(
        text, [word for word in words(encoding) if word.text.strip() and word.start < word.end]
    )
    mask_indices = [index for index, word in enumerate(all_words) if word.text == MASK]
    return Sentence(
        text=text,
        read=text[:end] if encoding.truncated else text,
        encoding=encoding,
        words=all_words,
        numbers={index: number for number, index in enumerate(mask_indices)},
        hidden=_one_a_blank(text, hidden),
        blank=max(min(blank, len(mask_indices) - 1), 0),
    )


def cut_at_blanks(text: str, words: "Sequence[Word]") -> "list[Word]":
    """The words of a text, with each [MASK] as one word: a model without such a token reads it in pieces."""
    pieces: list[Word] = []
    for part in PARTS.finditer(text):
        start, end = part.span()
        inside = [word for word in words if word.start < end and word.end > start]
        if part.group() == MASK and inside:
            positions = sorted({position for word in inside for position in word.positions})
            pieces.append(replace(inside[0], text=MASK, start=start, end=end, positions=positions))
            continue
        for word in inside:
            first, last = max(word.start, start), min(word.end, end)
            pieces.append(replace(word, text=text[first:last], start=first, end=last))
    return pieces


def click(sentence: Sentence, index: int) -> dict[str, Any]:
    """Hide a word, choose a blank, or put the word back into the chosen blank."""
    word, number = sentence.words[index], sentence.numbers.get(index)
    if number is None:
        blank = sentence.text[: word.start].count(MASK)
        text = sentence.text[: word.start] + MASK + sentence.text[word.end :]
        return {
            "text": text,
            "words": [*sentence.hidden[:blank], word.text, *sentence.hidden[blank:]],
            "blank": blank,
        }
    if number == sentence.blank and sentence.hidden[number]:
        text = sentence.text[: word.start] + sentence.hidden[number] + sentence.text[word.end :]
        return {"text": text, **_without(sentence, number)}
    return {"blank": number}


def fill(sentence: Sentence, number: int, token: str) -> dict[str, Any]:
    """Put a candidate into a blank."""
    from explorer.analysis.prediction import masking

    return {"text": masking.fill(sentence.text, number, token), **_without(sentence, number)}


def around(text: str, number: int) -> tuple[str, str]:
    """The text before and the text after blank number `number`.

    >>> around("a [MASK] b [MASK] c", 1)
    ('a [MASK] b ', ' c')
    """
    parts = text.split(MASK)
    return MASK.join(parts[: number + 1]), MASK.join(parts[number + 1 :])


def restore(sentence: Sentence) -> dict[str, Any]:
    """Put every hidden word that is known back into its blank."""
    parts = sentence.text.split(MASK)
    back = [part + (word or MASK) for part, word in zip(parts, sentence.hidden)]
    return {"text": "".join([*back, parts[-1]]), "words": [], "blank": 0}


def carry(before: str, hidden: Sequence[str], after: str) -> list[str]:
    """The hidden words of an edited text: those of the blanks before and after the edited part."""
    words = _one_a_blank(before, hidden)
    head = _common(before, after)
    tail = min(_common(before[::-1], after[::-1]), min(len(before), len(after)) - head)
    first = before[:head].count(MASK)
    last = before[len(before) - tail :].count(MASK)
    new = after.count(MASK) - first - last
    return [*words[:first], *[""] * new, *words[len(words) - last :]]


def _without(sentence: Sentence, number: int) -> dict[str, Any]:
    """The settings of the hidden words and the chosen blank once a blank is gone."""
    remaining = [*sentence.hidden[:number], *sentence.hidden[number + 1 :]]
    return {"words": remaining, "blank": sentence.blank - (sentence.blank >= number and sentence.blank > 0)}


def _one_a_blank(text: str, hidden: Sequence[str]) -> list[str]:
    """The hidden words, cut or filled up to one entry for each blank."""
    count = text.count(MASK)
    words = [word.strip() if isinstance(word, str) else "" for word in hidden][:count]
    return [*words, *[""] * (count - len(words))]


def _common(text: str, other: str) -> int:
    """How many characters two texts share at their start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, other)))
