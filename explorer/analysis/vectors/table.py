"""Static vectors: the words of a vocabulary with their rows, and how to look a word up."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.errors import AbilityError, TextError, at_least_one
from explorer.locale import _, format_number
from explorer.models.base import Model
from explorer.text.folding import fold, places_by_fold, variants
from explorer.text.letters import is_letters
from explorer.tokenizers.languages import is_ideograph
from explorer.tokenizers.near_words import Unread, hint_for
from explorer.trace import Ability


@dataclass(frozen=True, eq=False)
class Vectors:
    """Words, most frequent first if the source has them so, and a row of `matrix` for each.

    A word is looked up as it is written, then in lower case, then with a capital letter; then in other
    spellings that a file may have, and last as a search compares words.

    >>> vectors = Vectors(["river", "Paris"], torch.eye(2))
    >>> vectors.id("River"), "paris" in vectors, vectors.find("rain")
    (0, True, None)
    """

    words: Sequence[str]
    matrix: Float[Tensor, "d_vocab d_model"]
    unread: Unread | None = None  # of a file that has more words

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return self.find(word) is not None

    @cached_property
    def places(self) -> dict[str, int]:
        """The row of each word; of two rows with the same word, the first."""
        return {word: i for i, word in reversed(list(enumerate(self.words)))}

    @cached_property
    def _by_fold(self) -> dict[str, int]:
        return places_by_fold(self.words)

    @cached_property
    def lengths(self) -> Float[Tensor, "d_vocab"]:
        """The length of every row, at least 1e-12, so that one may divide by it."""
        # Stored instead of a matrix of unit vectors: a large vocabulary fits in memory only once.
        lengths: Tensor = self.matrix.norm(dim=-1).clamp_min(1e-12)
        return lengths

    def find(self, word: str) -> int | None:
        """The row of a word; None if it has no vector."""
        word = word.strip()
        spellings = [s for form in variants(word) for s in (form, form.lower(), form.capitalize())]
        place = next((self.places[s] for s in spellings if s in self.places), None)
        return self._by_fold.get(fold(word)) if place is None else place

    def id(self, word: str) -> int:
        """The row of a word. Raises TextError if it has no vector."""
        place = self.find(word)
        if place is None:
            raise TextError(*self._unknown(word))
        return place

    def unit(self, words: Sequence[str]) -> Float[Tensor, "occurrence d_model"]:
        """The vectors of some words, scaled to length 1. Raises TextError for an unknown one."""
        ids = [self.id(word) for word in words]
        return self.matrix[ids] / self.lengths[ids, None]

    def cosines(self, direction: Float[Tensor, "d_model"]) -> Float[Tensor, "d_vocab"]:
        """The cosine of every word to a direction."""
        return self.matrix @ F.normalize(direction, dim=-1, eps=1e-12) / self.lengths

    def _unknown(self, word: str) -> tuple[str, str]:
        if not word.strip():
            return _("There is no word."), _("Type one.")
        otherwise = _("Try a more common word, one at a time, in the language of the model.")
        hint = hint_for(word.strip(), self.words, self.unread, otherwise)
        message = _(
            "“{word}” is not among the {count} words that have a vector here.",
            word=word.strip(),
            count=format_number(len(self)),
        )
        return message, hint


def of(model: Model) -> Vectors:
    """A model's static vector for every word of its vocabulary.

    For a contextual model these are the embeddings, before the first layer and without position, of the
    tokens that are whole words. Raises AbilityError for a model without an embedding table.

    >>> vectors = of(explorer.load("word2vec"))
    >>> len(vectors) == len(vectors.matrix), "river" in vectors
    (True, True)
    """
    table = model.table
    if table is None:
        raise AbilityError(
            _("{model} has no table of one vector a word.", model=model.checkpoint),
            _("Choose word2vec, BERT or GPT."),
        )
    table, tokenizer = table.detach(), model.tokenizer
    readable = [tokenizer.readable(id) for id in range(min(tokenizer.size, len(table)))]
    if Ability.VECTORS in model.abilities:
        return Vectors(readable, table, getattr(tokenizer, "unread", None))
    space = " " if tokenizer.byte_level else ""  # byte pieces that begin a word include the space before it
    whole = [i for i, t in enumerate(readable) if t.startswith(space) and is_letters(t[len(space) :])]
    return Vectors([readable[i].strip() for i in whole], table[whole].float().cpu())


def frequent(vectors: Vectors, count: int) -> list[str]:
    """The most frequent words of two letters or more, or of one Chinese character, each once.

    >>> frequent(Vectors(["the", "a", "the", "of"], torch.eye(4)), 2)
    ['the', 'of']
    """
    at_least_one(count=count)
    words = (w for w in vectors.words if is_letters(w) and (len(w) > 1 or is_ideograph(w)))
    return list(islice(dict.fromkeys(words), count))
