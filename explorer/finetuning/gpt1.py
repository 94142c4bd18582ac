"""GPT's way of fine-tuning (Radford et al. 2018, section 3): every task becomes texts that it can read.

    classification    start  text  extract
    entailment        start  premise  delimiter  hypothesis  extract
    similarity        both orders of the two texts, and their vectors added
    multiple choice   one text a choice: start  context  delimiter  choice  extract

The three marks are new vectors, trained with the rest. A linear map reads the last state of `extract`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from explorer.errors import TextError

Transformation = Literal["classification", "entailment", "similarity", "multiple choice"]
MARKS = ("start", "delimiter", "extract")


@dataclass(frozen=True)
class Segment:
    """A stretch of a transformed text: one of the three marks, or words."""

    text: str
    mark: bool = False


def transform(kind: Transformation, texts: Sequence[str]) -> tuple[tuple[Segment, ...], ...]:
    """What GPT reads for a task: one sequence of segments, or several.

    >>> [segment.text for segment in transform("entailment", ["It rained.", "It is wet."])[0]]
    ['start', 'It rained.', 'delimiter', 'It is wet.', 'extract']
    >>> len(transform("similarity", ["a", "b"])), len(transform("multiple choice", ["a", "b", "c", "d"]))
    (2, 3)

    Raises TextError for a number of texts that does not fit the task.
    """
    start, delimiter, extract = (Segment(mark, True) for mark in MARKS)
    fits = {"classification": len(texts) == 1, "multiple choice": len(texts) > 2}
    if not fits.get(kind, len(texts) == 2):
        inputs = {"classification": "one text", "multiple choice": "a context and two choices or more"}
        raise TextError(
            f"{len(texts)} texts are not what {kind} reads.", f"Give {inputs.get(kind, 'two texts')}."
        )
    if kind == "classification":
        return ((start, Segment(texts[0]), extract),)
    context, *others = texts
    pairs = [(context, other) for other in others]
    if kind == "similarity":
        pairs.append((others[0], context))
    return tuple((start, Segment(first), delimiter, Segment(last), extract) for first, last in pairs)
