"""Which of two nouns a pronoun stands for, by each head: how often the noun that it attends to more is right.

The sentences are our own, in pairs that differ by a word which turns the answer round, as in the Winograd
schema challenge (Levesque, Davis, Morgenstern 2012): whoever goes by the order of the nouns is right in half.
"""

import json
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from explorer import assets
from explorer.analysis.heads.measuring import traces
from explorer.models.base import Model
from explorer.trace import Encoding, captured

FOLDER = assets.HEADS / "pronouns"


class Sentence(NamedTuple):
    """A sentence with a pronoun, the noun that it stands for, and the other noun before it."""

    text: str
    pronoun: str
    noun: str
    other: str


@dataclass(frozen=True, eq=False)
class Pronouns:
    """In how many of the sentences each head's pronoun attends more to the right noun than to the other."""

    right: Int[Tensor, "layer head"]
    sentences: int

    @property
    def chance(self) -> float:
        """How probable at most the best of as many guessing heads is right as often (Bonferroni)."""
        tail: int = sum(comb(self.sentences, k) for k in range(int(self.right.max()), self.sentences + 1))
        return min(1.0, float(self.right.numel() * tail / 2**self.sentences))


@cache
def sentences() -> tuple[Sentence, ...]:
    """Our sentences, by pairs."""
    lines = assets.text(assets.RELATIONS / "pronouns.txt").splitlines()
    return tuple(Sentence(*line.split(" | ")) for line in lines if line and not line.startswith("#"))


def measure(model: Model, chosen: tuple[Sentence, ...] | None = None) -> Pronouns:
    """Read the sentences, as `measuring.measure` does. Raises AbilityError for a model without attention."""
    chosen = sentences() if chosen is None else chosen
    right = torch.zeros((), dtype=torch.long)
    for trace, one in zip(traces(model, [each.text for each in chosen]), chosen, strict=True):
        pattern, encoding = captured(trace.attention).pattern, trace.encoding
        pronoun, noun, other = (_tokens(encoding, word) for word in (one.pronoun, one.noun, one.other))
        weight = pattern[:, :, pronoun].mean(2)
        right = right + (weight[..., noun].sum(-1) > weight[..., other].sum(-1)).long()
    return Pronouns(right, len(chosen))


def _tokens(encoding: Encoding, word: str) -> list[int]:
    """The tokens of a word of the text; of a pronoun its last occurrence, of a noun the only one."""
    spaced = f" {encoding.text.casefold()}"
    begin = max(spaced.rfind(f" {word}{end}") for end in " .")
    return [i for i, (start, end) in enumerate(encoding.spans) if start < begin + len(word) and end > begin]


@cache
def stored(name: str) -> Pronouns | None:
    """The stored scores of a bundled checkpoint; None if there are none."""
    # A name may be any checkpoint's, even a path: only files of this folder are opened.
    files = {file.stem: file for file in FOLDER.glob("*.json")}
    if name not in files:
        return None
    data = json.loads(assets.text(files[name]))
    return Pronouns(torch.tensor(data["right"]), data["sentences"])
