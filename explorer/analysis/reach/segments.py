"""A long text read in segments, with a memory of earlier ones: Transformer-XL's recurrence.

Dai, Yang, Yang, Carbonell, Le, Salakhutdinov, "Transformer-XL: Attentive Language Models Beyond a
Fixed-Length Context" (ACL 2019). The paper trains this; here a GPT does it without such training:

    segment s:  every layer attends to its own rows, and to its keys and values of the last `memory` rows
                before the segment
    positions:  CONTINUED   as in the whole text: correct, but limited by the model's last position
                RESTARTED   from 0 in every segment: a row of the memory and one of the segment may have
                            the same position, so that distances are ambiguous

The paper's positions are relative, counted from the query, which avoids both problems.

A GPT that was trained on whole texts puts much of its attention on their first tokens, and fails without
them (Xiao, Tian, Chen, Han, Lewis, "Efficient Streaming Language Models with Attention Sinks", ICLR 2024).
So the memory may keep the `first` rows of the text as well.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import log
from typing import cast

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.errors import ExplorerError, at_least_one
from explorer.models.base import context_length
from explorer.models.language_model import LanguageModel
from explorer.models.transformer import Transformer
from explorer.trace import Ability, Encoding


class Positions(StrEnum):
    """How the positions in a segment are counted.

    >>> gpt, text = explorer.load("gpt"), "one two three four"
    >>> one, other = (read_in_segments(gpt, text, 2, memory=2, positions=how).bits for how in Positions)
    >>> one[:2].allclose(other[:2]), one[2:].allclose(other[2:])  # they differ from the second segment on
    (True, False)
    """

    CONTINUED = "continued"
    RESTARTED = "restarted"


@dataclass(frozen=True, eq=False)
class SegmentedText:
    """A text with the surprisal of every token, in bits, read in segments of `segment` tokens.

    `unscored` is 1 if the model has no start token: then the first token cannot be predicted, and its bits
    are 0. The encoding's `cut` is the number of tokens that were not read.
    """

    encoding: Encoding
    bits: Float[Tensor, "pos"]
    segment: int
    memory: int
    unscored: int = 0

    @property
    def cuts(self) -> list[int]:
        """The first token after each cut."""
        return list(range(self.unscored + self.segment, len(self.encoding), self.segment))

    @property
    def offsets(self) -> Int[Tensor, "pos"]:
        """The number of tokens of its own segment before each predicted token."""
        return (torch.arange(len(self.encoding)) - self.unscored).clamp(min=0) % self.segment


def read_in_segments(
    model: LanguageModel,
    text: str,
    segment: int,
    memory: int,
    positions: str = Positions.CONTINUED,
    first: int = 0,
    limit: int | None = None,
) -> SegmentedText:
    """The surprisal of every token of a text read in segments; memory 0 forgets all at each cut.

    With a memory as long as the text and continued positions, this equals reading the text as a whole.

    >>> gpt = explorer.load("gpt")
    >>> whole, cut = (read_in_segments(gpt, "one two one two one two one two", 4, m) for m in (99, 0))
    >>> [bool(after > before) for after, before in zip(cut.bits[cut.cuts], whole.bits[cut.cuts])]
    [True]

    Without a memory each segment is a separate text: its positions begin at 0, and no `first` rows are
    kept. The text is cut at the model's last position, or at `limit` tokens. Raises AbilityError for a
    model that does not read from left to right, ExplorerError for a negative memory or other positions.
    """
    model.require(Ability.GENERATE, "say how surprising a text is, reading from left to right,")
    at_least_one(segment=segment, limit=limit)
    for name, value in {"memory": memory, "first": first}.items():
        if value < 0:
            raise ExplorerError(f"{name} is {value}.", "Give a whole number, 0 or more.")
    if positions not in list(Positions):
        raise ExplorerError(f"There are no positions “{positions}”.", f"Choose {', '.join(Positions)}.")
    most, room = model.config.positions, context_length(model.config)
    encoding = model.tokenizer.encode(text, limit=min(limit or room, most)).without_frame()
    unscored = 1 if model.tokenizer.start is None and len(encoding) else 0
    read = model.tokenizer.with_start(encoding.ids)[:-1] if len(encoding) else encoding.ids
    states = states_in_segments(model, read, segment, memory, positions, first)
    logits, own = model.unembed(states), encoding.ids[unscored:]
    bits = (logits.logsumexp(1) - logits.gather(1, own[:, None])[:, 0]) / log(2)
    bits = torch.cat([torch.zeros(unscored), bits.cpu()])
    return SegmentedText(encoding, bits, segment, memory, unscored)


def states_in_segments(
    model: LanguageModel, ids: Int[Tensor, "pos"], segment: int, memory: int, positions: str, first: int = 0
) -> Float[Tensor, "pos d_model"]:
    """The last layer's states of tokens read in segments.

    >>> gpt = explorer.load("gpt")
    >>> ids = gpt.encode("one two three four five").ids
    >>> states_in_segments(gpt, ids, segment=2, memory=2, positions=Positions.CONTINUED).shape
    torch.Size([5, 256])
    """
    network = cast(Transformer, model.network)  # no other network continues texts
    first = first if memory else 0
    cache = network.new_cache(capacity=max(1, min(first + memory + segment, len(ids))))
    states = []
    with torch.no_grad():
        for piece in ids.split(segment):
            cache.forget(memory, first)
            if positions == Positions.RESTARTED or not memory:
                cache.shift = -cache.length  # the next position is the first one
            states.append(network(piece[None].to(model.device), cache=cache).last[0].cpu())
    return torch.cat(states) if states else torch.zeros(0, model.config.d_model)


def visible_rows(tokens: int, segment: int, memory: int, first: int = 0) -> Bool[Tensor, "query_pos key_pos"]:
    """Which rows each row can attend to in one layer: those of its segment up to itself, and the memory.

    >>> visible_rows(4, segment=2, memory=1).int().tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 1, 1, 1]]
    """
    at_least_one(tokens=tokens, segment=segment)
    place = torch.arange(tokens)
    oldest = place - place % segment - memory
    in_memory = (place >= oldest[:, None]) | (place < (first if memory else 0))
    return in_memory & (place <= place[:, None])


def reach(layers: int, tokens: int, segment: int, memory: int, first: int = 0) -> Bool[Tensor, "depth pos"]:
    """Which states the last token's final state can depend on, from the embedding (0) to the top.

    The memory holds keys and values of the states below, and these had a memory too: with every layer
    down, the reach grows by about the memory's length.

    >>> [int(row.sum()) for row in reach(layers=2, tokens=9, segment=3, memory=3)]
    [9, 6, 1]
    """
    at_least_one(layers=layers)
    visible = visible_rows(tokens, segment, memory, first)
    rows = [torch.arange(tokens) == tokens - 1]
    for _ in range(layers):
        rows.append(visible[rows[-1]].any(0))
    return torch.stack(rows[::-1])
