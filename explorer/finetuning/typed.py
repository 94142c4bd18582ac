"""Examples as a person types them, a line each, and back:

classes   The plot is thin. #negative
pairs     A man sleeps. | Nobody is awake. #no
tags      Play [Nina Simone](artist) in the [kitchen](room)
answers   The bridge was built in 1901. | When was it built? | 1901
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from explorer.errors import ExplorerError, TextError
from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged

Some = TypeVar("Some")
MOST = 2_000  # examples that are learnt from here
WRITTEN = {
    "classes": "The plot is thin. #negative",
    "pairs": "A man sleeps. | Nobody is awake. #no",
    "tags": "Play [Nina Simone](artist) in the [kitchen](room)",
    "answers": "The bridge was built in 1901. | When was it built? | 1901",
}
_LABEL = re.compile(r"(.*\S)\s+#(\S[^#\n]*)")
_PART = re.compile(r"\[([^\[\]]+)\]\(([^()\s]+)\)|(\w+|[^\w\s])")
_WORD = re.compile(r"\w+|[^\w\s]")


def read(kind: str, text: str) -> list[Example]:
    """The examples of a text, one a line; empty lines are passed over.

    >>> read("classes", "The plot is thin. #negative")
    [Labelled(text='The plot is thin.', label='negative')]
    >>> read("tags", "Play [Nina Simone](artist) now")[0].tags
    ('O', 'B-artist', 'I-artist', 'O')

    Raises TextError, which names the line, for one that is written otherwise.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append(_LINES[kind](line.strip()))
        except ExplorerError as error:
            raise TextError(f"Line {number}: {error.message}", error.hint) from error
    return found


def write(examples: Sequence[Example]) -> str:
    """The lines that `read` makes the same examples of.

    >>> write([LabelledPair("A man sleeps.", "Nobody is awake.", "no")])
    'A man sleeps. | Nobody is awake. #no'
    """
    return "\n".join(map(_line, examples))


def spread(examples: Sequence[Some], most: int = MOST) -> list[Some]:
    """No more than so many, taken evenly from all of them, so that no class at the end is lost.

    >>> [one.text for one in spread([Labelled(str(i), "a") for i in range(10)], 3)]
    ['0', '3', '6']
    """
    if len(examples) <= most:
        return list(examples)
    return [examples[i * len(examples) // most] for i in range(most)]


def split(text: str) -> tuple[str, ...]:
    """The words and signs of a text, as tags are given to them.

    >>> split("It's 5 p.m.")
    ('It', "'", 's', '5', 'p', '.', 'm', '.')
    """
    return tuple(_WORD.findall(text))


def _classes(line: str) -> Labelled:
    return Labelled(*_labelled(line))


def _pairs(line: str) -> LabelledPair:
    both, label = _labelled(line)
    first, bar, second = both.partition("|")
    if not bar:
        raise TextError("There is only one sentence.", "Write “first | second #class”.")
    return LabelledPair(first.strip(), second.strip(), label)


def _labelled(line: str) -> tuple[str, str]:
    found = _LABEL.fullmatch(line)
    if found is None:
        raise TextError(f"“{line:.40}” has no class.", "End the line with a space, # and the class.")
    return found[1].strip(), found[2].strip()


def _tags(line: str) -> Tagged:
    words: list[str] = []
    tags: list[str] = []
    for inside, name, plain in _PART.findall(line):
        here = split(inside) if name else (plain,)
        words += here
        tags += [f"{'I' if i else 'B'}-{name}" if name else "O" for i in range(len(here))]
    return Tagged(tuple(words), tuple(tags))


def _answers(line: str) -> Question:
    parts = [part.strip() for part in line.split("|")]
    if len(parts) not in (2, 3):
        raise TextError(
            f"A passage, a question and an answer are needed, and “{line:.40}” has {len(parts)} of them.",
            "Write “passage | question | answer”, and leave the answer out where there is none.",
        )
    return Question(*parts)


_LINES: Mapping[str, Callable[[str], Example]] = {
    "classes": _classes,
    "pairs": _pairs,
    "tags": _tags,
    "answers": _answers,
}


def _line(example: Example) -> str:
    match example:
        case Labelled():
            return f"{_one(example.text)} #{example.label}"
        case LabelledPair():
            return f"{_one(example.text)} | {_one(example.pair)} #{example.label}"
        case Question():
            parts = (example.passage, example.question, example.answer)
            return " | ".join(_one(part) for part in parts if part)
        case Tagged():
            return _marked(example)


def _one(text: str) -> str:
    """A text that stands in a line, with no sign of ours in it."""
    return " ".join(text.replace("|", "/").split())


def _marked(example: Tagged) -> str:
    parts: list[str] = []
    open_ = ""
    for word, tag in zip(example.words, example.tags):
        name = tag[2:]
        if tag.startswith("I-") and name == open_:
            parts[-1] = f"{parts[-1][: -len(name) - 3]} {word}]({name})"
        else:
            parts.append(f"[{word}]({name})" if name else word)
        open_ = name
    return " ".join(parts)
