"""Attention while generating: what a model attended to when it chose each new token.

A token is chosen at the position before it: the last token read is the query, and its row of the pattern
says what it attended to. The new token itself is not there yet. Since attention is causal, one pass over the
finished text gives the rows of all steps.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.generation.steps import Generation
from explorer.trace import Capture, Encoding, captured


@dataclass(frozen=True, eq=False)
class GenerationAttention:
    """A continuation with every head's attention; the first `prompt` tokens are the prompt's."""

    tokens: list[str]
    prompt: int
    pattern: Float[Tensor, "layer head query_pos key_pos"]

    def row(
        self, step: int, layer: int | None = None, head: int | None = None, without_first: bool = False
    ) -> Float[Tensor, "key_pos"]:
        """What the model attended to when it chose a step's token: a weight for each token read by then.

        None averages over all layers, or all heads. `without_first` leaves out the first token, the
        attention sink, and rescales; if all weight is there, or it is the only token, the result is all 0.
        """
        query = self.prompt + step - 1
        rows = self.pattern[:, :, query, : query + 1]
        rows = rows if layer is None else rows[layer : layer + 1]
        rows = rows if head is None else rows[:, head : head + 1]
        row = rows.mean((0, 1))
        if not without_first:
            return row
        rest = row.clone()
        rest[0] = 0
        return rest / rest.sum() if rest.sum() > 1e-6 else torch.zeros_like(row)


def generation_attention(generation: Generation) -> GenerationAttention:
    """The attention of a continuation as far as it is written, by one pass over the tokens it has read."""
    model = generation.model
    ids = [*generation.prompt_ids, *(step.id for step in generation.steps)]
    encoding = Encoding(
        text=generation.text,
        tokens=[model.tokenizer.token(id) for id in ids],
        ids=torch.tensor(ids),
        spans=[(0, 0)] * len(ids),
        special=torch.tensor([id in model.tokenizer.special_ids for id in ids]),
        segments=torch.zeros(len(ids), dtype=torch.long),
    )
    (trace,) = model.trace_encodings([encoding], Capture.ATTENTION)
    tokenizer = model.tokenizer
    tokens = [tokenizer.whole_or_bytes(id, tokenizer.readable(id)) for id in ids]
    return GenerationAttention(tokens, len(generation.prompt_ids), captured(trace.attention).pattern)
