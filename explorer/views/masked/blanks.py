"""A sentence with blanks, and what clicks do to it: hide a word, put it back, fill a blank in.

A blank is [MASK] in the text. The words that clicks hid are kept beside the text, one entry a
blank and "" where nobody knows the word, so that a second click puts them back. Every change
returns new settings: {"text", "words", "blank"}, `blank` being the one that is acted on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from explorer.views.frame.limits import LIVE_TOKENS

if TYPE_CHECKING:
    from explorer.analysis.words import Word
    from explorer.models import Model
    from explorer.trace import Encoding

MASK = "[MASK]"


@dataclass(frozen=True, eq=False)
class Sentence:
    """A text as the page reads it.

    `read` is the part within LIVE_TOKENS, and `encoding` its tokens; `numbers` gives the number
    of the blank, from 0, for those of the `words` that are one. `hidden` has an entry for each
    blank of the whole text. `blank` is the chosen one.
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
        """How many blanks stand in the part that is not read."""
        return self.text.count(MASK) - len(self.numbers)


def read(model: "Model", text: str, hidden: Sequence[str], blank: int) -> Sentence:
    """Read a text with a model's tokenizer; `hidden` and `blank` may come from an old link."""
    from explorer.analysis.words import words

    encoding = model.encode(text, limit=LIVE_TOKENS)
    end = max(end for _, end in encoding.spans)
    found = [word for word in words(encoding) if word.start < word.end and word.text.strip()]
    blanks = [index for index, word in enumerate(found) if word.text == MASK]
    return Sentence(
        text=text,
        read=text[:end] if encoding.truncated else text,
        encoding=encoding,
        words=found,
        numbers={index: number for number, index in enumerate(blanks)},
        hidden=_one_a_blank(text, hidden),
        blank=max(min(blank, len(blanks) - 1), 0),
    )


def click(sentence: Sentence, index: int) -> dict[str, Any]:
    """A word is hidden; a blank is chosen; the chosen blank gets its word back."""
    word, number = sentence.words[index], sentence.numbers.get(index)
    if number is None:
        at = sentence.text[: word.start].count(MASK)
        text = sentence.text[: word.start] + MASK + sentence.text[word.end :]
        return {"text": text, "words": [*sentence.hidden[:at], word.text, *sentence.hidden[at:]], "blank": at}
    if number == sentence.blank and sentence.hidden[number]:
        text = sentence.text[: word.start] + sentence.hidden[number] + sentence.text[word.end :]
        return {"text": text, **_without(sentence, number)}
    return {"blank": number}


def fill(sentence: Sentence, number: int, token: str) -> dict[str, Any]:
    """A candidate is put into a blank."""
    from explorer.analysis.prediction import masking

    return {"text": masking.fill(sentence.text, number, token), **_without(sentence, number)}


def around(text: str, number: int) -> tuple[str, str]:
    """The texts before and after blank number `number` of a text.

    >>> around("a [MASK] b [MASK] c", 1)
    ('a [MASK] b ', ' c')
    """
    parts = text.split(MASK)
    return MASK.join(parts[: number + 1]), MASK.join(parts[number + 1 :])


def restore(sentence: Sentence) -> dict[str, Any]:
    """Every hidden word that is known goes back into its blank."""
    parts = sentence.text.split(MASK)
    back = [part + (word or MASK) for part, word in zip(parts, sentence.hidden)]
    return {"text": "".join([*back, parts[-1]]), "words": [], "blank": 0}


def carry(before: str, hidden: Sequence[str], after: str) -> list[str]:
    """The hidden words of a retyped text: those of the blanks before and after the change.

    >>> carry("A [MASK] and a [MASK].", ["cat", "dog"], "A [MASK], a [MASK] and a [MASK].")
    ['cat', '', 'dog']
    """
    words = _one_a_blank(before, hidden)
    head = _common(before, after)
    tail = min(_common(before[::-1], after[::-1]), min(len(before), len(after)) - head)
    first = before[:head].count(MASK)
    last = before[len(before) - tail :].count(MASK)
    new = after.count(MASK) - first - last
    return [*words[:first], *[""] * new, *words[len(words) - last :]]


def _without(sentence: Sentence, number: int) -> dict[str, Any]:
    words = [*sentence.hidden[:number], *sentence.hidden[number + 1 :]]
    return {"words": words, "blank": sentence.blank - (sentence.blank >= number and sentence.blank > 0)}


def _one_a_blank(text: str, hidden: Sequence[str]) -> list[str]:
    count = text.count(MASK)
    words = [word.strip() if isinstance(word, str) else "" for word in hidden][:count]
    return [*words, *[""] * (count - len(words))]


def _common(one: str, other: str) -> int:
    """How many characters two texts share at their start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other)))
