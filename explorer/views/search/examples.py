"""The functions that the page prints under “Show the code”."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.models import Model


def cosines_of_sentences(model: "Model", texts: list[str]) -> list[list[float]]:
    """The cosine of each pair of sentences, each read by the model as one vector."""
    from explorer.analysis import sentences

    return [[round(value, 3) for value in row] for row in sentences.read(model, texts).cosines.tolist()]


def cosines_of_counts(texts: list[str]) -> list[list[float]]:
    """The cosine of each pair of sentences, each the counts of its words (TF-IDF)."""
    from explorer.analysis import sentences

    return [[round(value, 3) for value in row] for row in sentences.read(None, texts).cosines.tolist()]
