"""The functions that the page prints under “Show the code”."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.models import Model


def cosines_of_sentences(model: "Model | None", texts: list[str]) -> list[list[float]]:
    """The cosine of each pair of sentences, each read by a model, or else counted word by word (TF-IDF)."""
    from explorer.analysis import sentences

    return [[round(value, 3) for value in row] for row in sentences.read(model, texts).cosines.tolist()]
