"""The logit lens: what a model would say if it had to answer after each of its layers.

    P(token | layer l) = softmax(unembed(hidden state of layer l at the position))

The same head reads every layer: for BERT the masked-word head, for GPT the final LayerNorm and the
embedding matrix. nostalgebraist, "interpreting GPT: the logit lens" (2020). It is a raw read-out:
the head was trained on the last layer alone, so that a layer which knows a word may not yet write
it the way the head reads (Belrose et al. 2023 train a translator for each layer).
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.prediction.masking import MASK
from explorer.analysis.prompt import encode_prompt
from explorer.errors import TextError
from explorer.models.base import Model, context_length
from explorer.trace import Ability, Capture, captured


@dataclass(frozen=True, eq=False)
class Lens:
    """What every layer expects at one position; row 0 is the embedding, each row sums to 1."""

    position: int
    probabilities: Float[Tensor, "depth d_vocab"]

    def ranks(self, id: int) -> list[int]:
        """The rank of a token at every layer; 1 is the most probable."""
        return ((self.probabilities > self.probabilities[:, id : id + 1]).sum(-1) + 1).tolist()


@dataclass(frozen=True, eq=False)
class Watched:
    """The token that stands for a word in the lens: the first of its `pieces`."""

    word: str
    id: int
    pieces: list[str]


def at_mask(model: Model, text: str, which: int = 0) -> Lens:
    """Blank number `which` (0 is the first), read out after every layer.

    Raises TextError where there is no such blank in what the model reads, AbilityError for a model
    that does not fill blanks.
    """
    model.require(Ability.FILL, "guess masked words")
    encoding = model.encode(text)
    masks = (encoding.ids == model.tokenizer.special_id("mask")).nonzero().flatten().tolist()
    if not 0 <= which < len(masks):
        raise TextError(f"There is no blank number {which + 1} to read.", f"Write {MASK} into the text.")
    return _read_out(model, encoding.ids, masks[which])


def at_end(model: Model, text: str) -> Lens:
    """The next token after a text, read out after every layer.

    A text longer than the context is read from its end; an empty one is its start token. Raises
    AbilityError for a model that does not read from left to right.
    """
    model.require(Ability.GENERATE, "continue a text")
    ids = encode_prompt(model, text, context_length(model.config)).ids
    return _read_out(model, ids, len(ids) - 1)


def watched(model: Model, word: str, spaced: bool = True) -> Watched | None:
    """The token by which a word is followed through the layers; None where it cannot be spelled.

    A word of several pieces is followed by its first one. To GPT a word begins with the space
    before it, unless it is not `spaced`: at the start of a text.
    """
    word = word.strip()
    tokenizer = model.tokenizer
    if tokenizer.byte_level:
        ids = tokenizer.pieces(f" {word}" if spaced else word)
    else:
        known = tokenizer.id(word)
        ids = [known] if known is not None else tokenizer.pieces(word)
    if not word or not ids or tokenizer.unknown in ids:
        return None
    return Watched(word, ids[0], [tokenizer.readable(id) for id in ids])


def _read_out(model: Model, ids: Int[Tensor, "pos"], position: int) -> Lens:
    states = captured(model.run(ids[None], capture=Capture.HIDDEN).hidden_states)
    stack = torch.stack([state[0, position] for state in states])
    return Lens(position, model.unembed(stack).softmax(-1))
