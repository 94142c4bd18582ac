"""Retrieval of a sentence's translation: are sentences of the same meaning near each other?"""

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from explorer.analysis.two_languages.retrieval import accuracy
from explorer.analysis.two_languages.vectors import centre, means
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.metrics.figure import Figure
from training.metrics.inputs import Inputs
from training.text.pairs import Pair, split_chinese


@dataclass(frozen=True, eq=False)
class Retrieval:
    """Share of sentences whose nearest sentence in the other language is the translation, by layer.

    `centred` is the mean of both directions after each language's mean vector is subtracted (Libovický, Rosa
    and Fraser 2020). Chance is 1 / pairs.
    """

    there: Float[Tensor, "depth"]
    back: Float[Tensor, "depth"]
    centred: Float[Tensor, "depth"]
    pairs: int

    @property
    def both(self) -> Float[Tensor, "depth"]:
        """Mean of both directions."""
        return (self.there + self.back) / 2


def retrieval(model: LanguageModel, pairs: Sequence[Pair]) -> Retrieval:
    """Retrieval by cosine between mean hidden states of sentences.

    Ties count as wrong. Raises AbilityError for a model without hidden states, TextError without pairs.
    """
    model.require(Ability.CONTEXT, "find translations")
    if not pairs:
        raise TextError("There are no pairs to look among.", "Give a file with more of them.")
    one, other = (means(model, [pair[side] for pair in pairs]) for side in (0, 1))
    there, back = accuracy(one, other), accuracy(other, one)
    one, other = centre(one), centre(other)
    return Retrieval(there, back, (accuracy(one, other) + accuracy(other, one)) / 2, len(pairs))


def figures(result: Retrieval) -> list[Figure]:
    """Shares as figures, at the best layer."""
    best, basis = int(result.both.argmax()), (result.pairs, "pairs kept aside")
    chance = f"chance: {100 / result.pairs:.1f}"
    directions = (
        ("there", "English to Chinese", result.there),
        ("back", "Chinese to English", result.back),
    )
    rows = [
        (f"retrieval_{name}", f"{label}, layer {best}, the best", float(shares[best]), shares)
        for name, label, shares in directions
    ]
    label = "both ways, each language's mean taken off"
    rows.append(("retrieval_centred", label, float(result.centred.max()), result.centred))
    return [
        Figure(key, label, value, *basis, layers=tuple(shares.tolist()), note=chance)
        for key, label, value, shares in rows
    ]


def nearest_translations(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Translation retrieval among the held-out pairs. Raises NotFoundError."""
    return figures(retrieval(model, split_chinese(inputs.sentence_pairs()).held_out))
