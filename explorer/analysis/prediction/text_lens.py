"""The logit lens over a whole text: what the state at every position would say after every layer.

A model that reads from the left says what comes next, one that fills blanks says what stands there. Of each
state the most probable tokens are kept, not the whole distribution: one of 12 tokens, 31 layers and 49,152
words would be 73 MB.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.prompt import encode_prompt
from explorer.models.base import Model, context_length
from explorer.short_text import WithShortText
from explorer.trace import Ability, Capture, Encoding, captured

TOP = 5  # tokens that are kept of each state
ROWS = 96  # states in a product: with 12 the same work takes 8 times as long, and more need memory only


@dataclass(frozen=True, eq=False, repr=False)
class TextLens(WithShortText):
    """The words of the states after the layers from `first` (0 is the embedding) to the last.

    `ids` and `probabilities` are the most probable tokens, best first, `entropy` is that of the whole
    distribution in bits. `rank` (1 is the most probable) and `chance`, a probability, are those of the
    position's token in `targets`: the answer, which is the last layer's most probable one, unless another was
    asked for.
    """

    encoding: Encoding
    targets: Int[Tensor, "pos"]
    first: int
    ids: Int[Tensor, "layer pos top"]
    probabilities: Float[Tensor, "layer pos top"]
    entropy: Float[Tensor, "layer pos"]
    rank: Int[Tensor, "layer pos"]
    chance: Float[Tensor, "layer pos"]

    def settled(self) -> list[int]:
        """For every position the first layer from which the last one's word stays the most probable."""
        best = self.ids[..., 0]
        layers = (best == best[-1]).flip(0).cumprod(0).sum(0)
        return (self.first + len(best) - layers).tolist()


def over_text(model: Model, text: str, limit: int | None = None, word: int | None = None) -> TextLens:
    """The words of all states. Of a text longer than `limit` tokens a model that writes reads the end.

    A token `word` is the target everywhere, in place of the answers. Raises AbilityError for a model that
    guesses no words.

    >>> lens = over_text(explorer.load("gpt"), "They walked along the river")
    >>> lens.ids.shape, len(lens.settled())
    (torch.Size([7, 5, 5]), 5)
    """
    model.require(Ability.FILL | Ability.GENERATE, "guess words after every layer")
    return joined(list(slices(model, read_text(model, text, limit), word)))


def read_text(model: Model, text: str, limit: int | None = None) -> Encoding:
    """A text as the lens reads it."""
    if model.causal:
        return encode_prompt(model, text, min(limit or context_length(model.config), model.config.positions))
    return model.encode(text, limit=limit)


def slices(
    model: Model, encoding: Encoding, word: int | None = None, states: Sequence[Tensor] | None = None
) -> Iterator[TextLens]:
    """The layers, as many at once as make a product of ROWS states, the last ones first; see `over_text`.

    `states` [1, pos, d_model] by layer, the embedding first, are read in place of the text's own.
    """
    if states is None:
        states = captured(model.run(encoding.ids[None], capture=Capture.HIDDEN).hidden_states)
    step = max(1, ROWS // len(encoding))
    targets = None if word is None else torch.full_like(encoding.ids, word)
    for end in range(len(states), 0, -step):
        first = max(0, end - step)
        stack = torch.stack([state[0] for state in states[first:end]])
        lens = _read_out(model.unembed(stack), encoding, targets, first)
        targets = lens.targets
        yield lens


def joined(parts: Sequence[TextLens]) -> TextLens:
    """One lens of the slices so far."""
    names = ("ids", "probabilities", "entropy", "rank", "chance")
    rows: dict[str, Any] = {
        name: torch.cat([getattr(part, name) for part in reversed(parts)]) for name in names
    }
    return replace(parts[-1], **rows)


def _read_out(
    logits: Float[Tensor, "layer pos d_vocab"],
    encoding: Encoding,
    targets: Int[Tensor, "pos"] | None,
    first: int,
) -> TextLens:
    shares = logits.softmax(-1)
    best = shares.topk(TOP)
    targets = best.indices[-1, :, 0] if targets is None else targets
    columns = targets.expand(len(logits), -1)[..., None]
    more = logits > logits.gather(-1, columns)
    return TextLens(
        encoding,
        targets,
        first,
        best.indices,
        best.values,
        torch.special.entr(shares).sum(-1) / log(2),
        more.sum(-1, dtype=torch.int32).long() + 1,  # six times as fast as the sum in 64 bits
        shares.gather(-1, columns)[..., 0],
    )
