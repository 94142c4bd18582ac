"""Examples as lines that `tables.typed` reads again, and fewer of them."""

from collections.abc import Sequence
from typing import TypeVar

from explorer.finetuning.examples import Example, Labelled, LabelledPair, Question, Tagged

Some = TypeVar("Some")


def write(examples: Sequence[Example]) -> str:
    """The lines that `tables.typed` makes the same examples of; white space in a text becomes a space.

    >>> write([LabelledPair("A man sleeps.", "Nobody is awake.", "no")])
    'A man sleeps. | Nobody is awake. | no'
    """
    return "\n".join(map(_line, examples))


def spread(examples: Sequence[Some], most: int) -> list[Some]:
    """No more than so many, taken evenly from all of them, so that no class at the end is lost.

    >>> spread(["a", "b", "c", "d", "e", "f"], 3)
    ['a', 'c', 'e']
    """
    if len(examples) <= most:
        return list(examples)
    return [examples[i * len(examples) // most] for i in range(most)]


def _line(example: Example) -> str:
    match example:
        case Labelled():
            parts = [example.text, example.label]
        case LabelledPair():
            parts = [example.text, example.pair, example.label]
        case Question():
            parts = [example.passage, example.question, example.answer]
        case Tagged():
            return " ".join(f"{word}/{tag}" for word, tag in zip(example.words, example.tags))
    return " | ".join(" ".join(part.replace("|", "/").split()) for part in parts)
