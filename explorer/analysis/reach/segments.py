"""A long text read in segments, with a memory of those before it: Transformer-XL's recurrence.

Dai, Yang, Yang, Carbonell, Le, Salakhutdinov, "Transformer-XL: Attentive Language Models Beyond a
Fixed-Length Context" (ACL 2019). What the paper trains, a GPT does here without having been trained for it:

    segment s:  every layer attends to its own rows, and to the keys and values that it made of the
                last `memory` rows before the segment
    positions:  CONTINUED   as in the whole text: right, but they end with the model's last position
                RESTARTED   from 0 in every segment: two rows that both attention sees have the same
                            position, and nothing tells the far one from the near one

The paper's positions are relative, so that neither happens: they count from the row that reads.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import log

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.errors import ExplorerError, at_least_one
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability, Encoding


class Positions(StrEnum):
    """How the positions of a segment are counted."""

    CONTINUED = "continued"
    RESTARTED = "restarted"


@dataclass(frozen=True, eq=False)
class Segmented:
    """A text with the surprisal of every token, in bits, read in segments of `segment` tokens.

    `unscored` is 1 where the model has no token for the beginning of a text: then nothing stands before
    the first token, and its bits are 0. The encoding's `cut` says how many tokens were not read.
    """

    encoding: Encoding
    bits: Float[Tensor, "pos"]
    segment: int
    memory: int
    positions: Positions
    unscored: int = 0

    @property
    def cuts(self) -> list[int]:
        """The first token after each cut."""
        return list(range(self.unscored + self.segment, len(self.encoding), self.segment))

    @property
    def offsets(self) -> Int[Tensor, "pos"]:
        """How many tokens of its own segment stand before each token that is predicted."""
        return (torch.arange(len(self.encoding)) - self.unscored).clamp(min=0) % self.segment


def read_in_segments(
    model: LanguageModel,
    text: str,
    segment: int,
    memory: int,
    positions: str = Positions.CONTINUED,
) -> Segmented:
    """Score every token of a text that is read in segments; memory 0 forgets all at each cut.

    With a memory as long as the text and positions that continue, this is the text read as a whole.

    >>> import explorer
    >>> gpt = explorer.load("gpt")
    >>> whole, cut = (read_in_segments(gpt, "one two one two one two one two", 4, m) for m in (99, 0))
    >>> [bool(after > before) for after, before in zip(cut.bits[cut.cuts], whole.bits[cut.cuts])]
    [True]

    Without a memory the positions of a segment begin at 0, as if it were a text of its own. The text
    is cut at the model's last position. Raises AbilityError for a model that does not read from left to
    right, ExplorerError for a negative memory or other positions.
    """
    model.require(Ability.GENERATE, "say how surprising a text is, reading from left to right,")
    at_least_one(segment=segment)
    if memory < 0:
        raise ExplorerError(f"The memory is {memory}.", "Give a whole number, 0 or more.")
    if positions not in list(Positions):
        raise ExplorerError(f"There are no positions “{positions}”.", f"Choose {', '.join(Positions)}.")
    encoding = model.tokenizer.encode(text, limit=model.config.positions)
    start = model.tokenizer.start
    unscored = 1 if start is None and len(encoding) else 0
    before = [start] if start is not None and len(encoding) else []
    read = torch.cat([torch.tensor(before, dtype=torch.long), encoding.ids[:-1]])
    states = states_in_segments(model, read, segment, memory, positions)
    logits, own = model.unembed(states), encoding.ids[unscored:]
    bits = (logits.logsumexp(1) - logits.gather(1, own[:, None])[:, 0]) / log(2)
    bits = torch.cat([torch.zeros(unscored), bits.cpu()])
    return Segmented(encoding, bits, segment, memory, Positions(positions), unscored)


def states_in_segments(
    model: LanguageModel, ids: Int[Tensor, "pos"], segment: int, memory: int, positions: str
) -> Float[Tensor, "pos d_model"]:
    """The last layer's states of tokens that are read in segments."""
    network = model.network
    cache = network.new_cache(capacity=segment + memory)
    states = []
    with torch.no_grad():
        for piece in ids.split(segment):
            cache.forget(memory)
            if positions == Positions.RESTARTED or not memory:
                cache.shift = -cache.length  # the next position is the first one
            states.append(network(piece[None], cache=cache).last[0])
    return torch.cat(states) if states else torch.zeros(0, model.config.d_model)


def seen(tokens: int, segment: int, memory: int) -> Bool[Tensor, "query_pos key_pos"]:
    """Which rows each row attends to, in one layer: those of its segment up to itself, and the memory.

    >>> seen(4, segment=2, memory=1).int().tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 1, 1, 1]]
    """
    at_least_one(tokens=tokens, segment=segment)
    place = torch.arange(tokens)
    first = (place - place % segment - memory).clamp(min=0)
    return (place >= first[:, None]) & (place <= place[:, None])


def reach(layers: int, tokens: int, segment: int, memory: int) -> Bool[Tensor, "depth pos"]:
    """Which states the last token's final state can depend on, from the embedding (0) to the top.

    The memory holds what a layer made of the states below, and these had a memory too: every layer
    down, the reach grows by about the memory's length.

    >>> [int(row.sum()) for row in reach(layers=2, tokens=9, segment=3, memory=3)]
    [9, 6, 1]
    """
    at_least_one(layers=layers)
    one = seen(tokens, segment, memory)
    rows = [torch.arange(tokens) == tokens - 1]
    for _ in range(layers):
        rows.append(one[rows[-1]].any(0))
    return torch.stack(rows[::-1])
