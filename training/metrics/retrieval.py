"""Retrieval of a sentence's translation: are sentences of the same meaning near each other?"""

from collections.abc import Sequence

from explorer.analysis.two_languages.retrieval import accuracy
from explorer.analysis.two_languages.vectors import centre, means
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.metrics.figure import Figure, Inputs
from training.text.pairs import Pair, split_chinese


def nearest_translations(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Translation retrieval among the held-out pairs. Raises NotFoundError."""
    return retrieval(model, split_chinese(inputs.sentence_pairs()).held_out)


def retrieval(model: LanguageModel, pairs: Sequence[Pair]) -> list[Figure]:
    """Share of sentences whose nearest one in the other language is the translation, at the best layer.

    Near is the cosine between mean hidden states. The last figure is the mean of both directions after each
    language's mean vector is subtracted (Libovický, Rosa and Fraser 2020). Chance is 1 / pairs; ties count
    as wrong. Raises AbilityError for a model without hidden states, TextError without pairs.
    """
    model.require(Ability.CONTEXT, "find translations")
    if not pairs:
        raise TextError("There are no pairs to look among.", "Give a file with more of them.")
    one, other = (means(model, [pair[side] for pair in pairs]) for side in (0, 1))
    there, back = accuracy(one, other), accuracy(other, one)
    one, other = centre(one), centre(other)
    centred = (accuracy(one, other) + accuracy(other, one)) / 2
    best = int((there + back).argmax())
    rows = [
        ("retrieval_there", f"English to Chinese, layer {best}, the best", there[best], there),
        ("retrieval_back", f"Chinese to English, layer {best}, the best", back[best], back),
        ("retrieval_centred", "both ways, each language's mean taken off", centred.max(), centred),
    ]
    basis, chance = (len(pairs), "pairs kept aside"), f"chance: {100 / len(pairs):.1f}"
    return [
        Figure(key, label, float(value), *basis, layers=tuple(shares.tolist()), note=chance)
        for key, label, value, shares in rows
    ]
