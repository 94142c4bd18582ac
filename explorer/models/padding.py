"""Texts as one padded input: grouped by length, run together, and taken apart again."""

from collections.abc import Iterator, Sequence, Sized

import torch
from jaxtyping import Int
from torch import Tensor

from explorer.models.family import Pass
from explorer.trace import Attention, Encoding, Trace

# Tokens of one batch, padding included: larger batches are no faster (their activations do not fit the
# processor's cache), and take more memory.
BATCH_TOKENS = 512
WINDOW = 512  # texts sorted together, so that a batch holds texts of similar length


def batches(encodings: Sequence[Sized], most: int = BATCH_TOKENS) -> Iterator[list[int]]:
    """Indices grouped by length so that each padded batch stays near `most` tokens."""
    order = sorted(range(len(encodings)), key=lambda i: len(encodings[i]))
    batch: list[int] = []
    for i in order:
        if batch and (len(batch) + 1) * len(encodings[i]) > most:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def padded(
    encodings: Sequence[Encoding], padding: int, device: torch.device, length: int | None = None
) -> tuple[Int[Tensor, "batch pos *character"], dict[str, Tensor | None]]:
    """Some texts as one input: ids (or characters), segments, and a mask if any needs padding.

    `padding` is the id that fills a row up; `length` is that of a row, by default the longest text's.
    """
    read = [e.ids if e.characters is None else e.characters for e in encodings]
    shape = (len(encodings), length or max(len(e) for e in encodings))
    ids = torch.full((*shape, *read[0].shape[1:]), padding)
    segments = torch.zeros(shape, dtype=torch.long)
    mask = torch.zeros(shape, dtype=torch.bool)
    for row, e in enumerate(encodings):
        ids[row, : len(e)] = read[row]
        segments[row, : len(e)] = e.segments
        mask[row, : len(e)] = True
    masks = {"segments": segments.to(device), "mask": None if mask.all() else mask.to(device)}
    return ids.to(device), masks


def unpadded(checkpoint: str, encoding: Encoding, result: Pass, row: int, causal: bool = False) -> Trace:
    """One row of a batch without its padding, copied so that a trace does not keep the batch in memory."""
    n = len(encoding)

    def crop(states: list[Tensor]) -> Tensor:
        return torch.stack([state[row, ..., :n, :] for state in states]).cpu()

    attention = None
    if result.heads is not None:
        attention = Attention(
            queries=crop([h.queries for h in result.heads]),
            keys=crop([h.keys for h in result.heads]),
            values=crop([h.values for h in result.heads]),
            pattern=torch.stack([h.pattern[row, :, :n, :n] for h in result.heads]).cpu(),
            causal=causal,
        )
    logits = result.logits
    if logits is not None:
        logits = (logits[0] if len(logits) == 1 else logits[row, :n].clone()).cpu()
    return Trace(
        checkpoint=checkpoint,
        encoding=encoding,
        hidden_states=None if result.hidden_states is None else crop(result.hidden_states),
        attention=attention,
        logits=logits,
    )
