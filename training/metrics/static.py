"""One vector for each word, for word similarity and analogies."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from jaxtyping import Float
from torch import Tensor

from explorer.errors import AbilityError
from explorer.models.language_model import LanguageModel


@dataclass(frozen=True, eq=False)
class Vectors:
    """Words, with a row of `matrix` for each."""

    words: Sequence[str]
    matrix: Float[Tensor, "word d_model"]

    @cached_property
    def places(self) -> dict[str, int]:
        """Row of each word."""
        return {word: i for i, word in reversed(list(enumerate(self.words)))}

    def place(self, word: str) -> int | None:
        """Row of a word as it is written, else in lower case, or None."""
        return self.places.get(word, self.places.get(word.lower()))


def vectors_of(model: LanguageModel) -> Vectors:
    """Embeddings of all tokens that are whole words, without positions.

    A GPT token is a whole word if it begins with a space. Raises AbilityError for a model without a table of
    tokens.
    """
    table = getattr(getattr(model.network, "tokens", None), "weight", None)
    if table is None:
        raise AbilityError(f"{model.checkpoint} has no table of one vector a token.")
    space = " " if model.tokenizer.byte_level else ""
    readable = [model.tokenizer.readable(id) for id in range(min(model.tokenizer.size, len(table)))]
    whole = [
        id for id, text in enumerate(readable) if text.startswith(space) and text[len(space) :].isalpha()
    ]
    return Vectors([readable[id].strip() for id in whole], table.detach()[whole].float().cpu())
