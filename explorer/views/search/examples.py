"""The functions that the code under the pictures calls."""

from typing import TYPE_CHECKING

import explorer

if TYPE_CHECKING:
    from torch import Tensor


def cosines(kind: str, texts: list[str]) -> "Tensor":
    """The cosine of each pair of sentences."""
    from explorer.analysis import sentences

    return sentences.read(None if kind == "tfidf" else explorer.load(kind), texts).cosines
