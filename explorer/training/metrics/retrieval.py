"""Finding a sentence's translation among many: is what a sentence means one place for both languages?"""

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from explorer.analysis.two_languages.retrieval import accuracy
from explorer.analysis.two_languages.vectors import centre, means
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from explorer.training.metrics.figure import Figure
from explorer.training.metrics.inputs import Inputs
from explorer.training.translator.pairs import Pair


@dataclass(frozen=True, eq=False)
class Retrieval:
    """The share of sentences whose nearest in the other language is the translation, by layer.

    `centred` is the mean of both ways where each language's mean vector is taken off first, which is what
    all its sentences share (Libovický, Rosa and Fraser 2020). Chance is 1 / pairs.
    """

    there: Float[Tensor, "depth"]
    back: Float[Tensor, "depth"]
    centred: Float[Tensor, "depth"]
    pairs: int

    @property
    def both(self) -> Float[Tensor, "depth"]:
        """The mean of both ways."""
        return (self.there + self.back) / 2


def retrieval(model: LanguageModel, pairs: Sequence[Pair]) -> Retrieval:
    """How often the translation is nearest by cosine, a sentence being the mean of its tokens' states.

    Ties count as wrong. Raises AbilityError for a model without hidden states, TextError without pairs.
    """
    model.require(Ability.CONTEXT, "find translations")
    if not pairs:
        raise TextError("There are no pairs to look among.", "Give a file with more of them.")
    one, other = (means(model, [pair[side] for pair in pairs]) for side in (0, 1))
    there, back = accuracy(one, other), accuracy(other, one)
    one, other = centre(one), centre(other)
    return Retrieval(there, back, (accuracy(one, other) + accuracy(other, one)) / 2, len(pairs))


def figures(measured: Retrieval) -> list[Figure]:
    """The shares as figures; the best layer stands first."""
    best, of = int(measured.both.argmax()), "pairs kept aside"
    chance = f"chance: {100 / measured.pairs:.1f}"
    directions = (
        ("there", "English to Chinese", measured.there),
        ("back", "Chinese to English", measured.back),
    )
    return [
        *(
            Figure(
                f"retrieval_{name}",
                f"{label}, layer {best}, the best",
                float(shares[best]),
                measured.pairs,
                of,
                layers=tuple(shares.tolist()),
                note=chance,
            )
            for name, label, shares in directions
        ),
        Figure(
            "retrieval_centred",
            "both ways, each language's mean taken off",
            float(measured.centred.max()),
            measured.pairs,
            of,
            layers=tuple(measured.centred.tolist()),
            note=chance,
        ),
    ]


def translations_found(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Translation retrieval among the pairs that training kept aside. Raises NotFoundError."""
    from explorer.training.bert.everyday import split

    return figures(retrieval(model, split(inputs.translated()).aside))
