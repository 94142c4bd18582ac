"""The logit lens: what a model would predict if it had to answer after each of its layers.

    P(token | layer l) = softmax(unembed(hidden state of layer l at the position))

The same head reads every layer: for BERT the masked-word head, for GPT the final LayerNorm and the
embedding matrix. nostalgebraist, "interpreting GPT: the logit lens" (2020). The head was trained on the last
layer only: an earlier layer may represent a word in a form that the head cannot read (Belrose et al. 2023
train a translator for each layer).
"""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.prediction.answers import ids_after, ids_in_blank
from explorer.analysis.prediction.masking import MASK, mask_positions
from explorer.analysis.prompt import encode_prompt
from explorer.errors import TextError
from explorer.locale import _
from explorer.models.base import Model, context_length
from explorer.short_text import WithShortText
from explorer.trace import Ability, Capture, captured

AROUND = 100  # characters before a blank that decide how a word is spelled there


@dataclass(frozen=True, eq=False, repr=False)
class Lens(WithShortText):
    """The distribution of every layer at one position; row 0 is the embedding, each row sums to 1.

    `before` and `after` are the text on either side of the position.
    """

    position: int
    probabilities: Float[Tensor, "depth d_vocab"]
    before: str = ""
    after: str = ""

    def ranks(self, id: int) -> list[int]:
        """The rank of a token at every layer; 1 is the most probable."""
        return ((self.probabilities > self.probabilities[:, id : id + 1]).sum(-1) + 1).tolist()


@dataclass(frozen=True, eq=False)
class TrackedWord:
    """The token that represents a word in the lens: the first of its `pieces`."""

    word: str
    id: int
    pieces: list[str]


def at_mask(model: Model, text: str, which: int = 0) -> Lens:
    """The predictions after every layer in blank number `which` (0 is the first).

    Raises TextError if there is no such blank within the model's context, AbilityError for a model that does
    not fill blanks.
    """
    model.require(Ability.FILL, "guess masked words")
    encoding = model.encode(text)
    masks = mask_positions(model, encoding)
    if not 0 <= which < len(masks):
        raise TextError(
            _("There is no blank number {number} to read.", number=which + 1),
            _("Write [MASK] into the text."),
        )
    start, end = encoding.spans[masks[which]]
    lens = _read_out(model, encoding.ids, masks[which])
    return replace(lens, before=text[:start], after=text[end:])


def at_end(model: Model, text: str) -> Lens:
    """The predictions of the next token after every layer.

    Of a text longer than the context the end is read; an empty one is the start token. Raises AbilityError
    for a model that does not read from left to right.
    """
    model.require(Ability.GENERATE, "continue a text")
    ids = encode_prompt(model, text, context_length(model.config)).ids
    return replace(_read_out(model, ids, len(ids) - 1), before=text)


def tracked_word(model: Model, word: str, before: str | None = None) -> TrackedWord | None:
    """The token by which a word is tracked through the layers; None if it cannot be spelled.

    A word of several pieces is tracked by its first one. It is the one that can stand after the text
    `before` it; without that text, after a word and a space.
    """
    word = word.strip()
    tokenizer = model.tokenizer
    if model.causal:
        ids = tokenizer.pieces(f" {word}") if before is None else ids_after(model, before, word)
    else:
        encoding = model.encode(f"{'the ' if before is None else before[-AROUND:]}{MASK}")
        ids = ids_in_blank(model, encoding, mask_positions(model, encoding)[-1], word)
    if not word or not ids or tokenizer.unknown in ids:
        return None
    return TrackedWord(word, ids[0], [tokenizer.readable(id) for id in ids])


def _read_out(model: Model, ids: Int[Tensor, "pos"], position: int) -> Lens:
    states = captured(model.run(ids[None], capture=Capture.HIDDEN).hidden_states)
    stack = torch.stack([state[0, position] for state in states])
    return Lens(position, model.unembed(stack).softmax(-1))
