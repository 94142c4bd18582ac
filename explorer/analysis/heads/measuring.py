"""The scores of every head of a model on many parsed sentences."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.heads.behaviours import Tally, flat, tally
from explorer.analysis.heads.dependents import Direction, Hits, hits
from explorer.analysis.heads.relations import Parse
from explorer.errors import TextError
from explorer.models.base import Model, context_length
from explorer.trace import Ability, Capture, Encoding, Trace, captured

BATCH = 32  # sentences read together


@dataclass(frozen=True, eq=False)
class Scores:
    """Each head's scores on some sentences; `skipped` of them had words without a token.

    `behaviours[name]` are those of BEHAVIOURS; nan for a kind of token that the model does not have.
    `flat[name]` is the score of a head that attends equally to all tokens. `relations[name][direction]`
    has each head's accuracy and that of the best fixed offset.
    """

    sentences: int
    skipped: int
    behaviours: dict[str, Float[Tensor, "layer head"]]
    flat: dict[str, float]
    relations: dict[str, dict[str, Direction]]


def measure(
    model: Model, parses: Sequence[Parse], progress: Callable[[int, int], None] | None = None
) -> Scores:
    """Scores on parsed sentences; `progress(done, total)` is called after each.

    A model that reads from left to right reads `<|endoftext|>` first, as in training, so that the attention
    sink is not the first word. Raises AbilityError for a model without attention, TextError if no sentence
    could be read.

    >>> from explorer.analysis.heads.relations import library
    >>> scores = measure(explorer.load("bert"), library("grammar")[:3])
    >>> scores.sentences, scores.skipped, scores.behaviours["previous"].shape
    (3, 0, torch.Size([6, 12]))
    """
    sums: tuple[Tally, Tally, Hits] | None = None
    read = 0
    for number, (trace, parse) in enumerate(
        zip(traces(model, [parse.text for parse in parses]), parses, strict=True), 1
    ):
        new = _tallies(trace, parse)
        if new is not None:
            sums = new if sums is None else (sums[0] + new[0], sums[1] + new[1], sums[2] + new[2])
            read += 1
        if progress is not None:
            progress(number, len(parses))
    if sums is None:
        raise TextError(f"{model.checkpoint} could not read any of the sentences as a whole.")
    of_heads, of_flat, right = sums
    reference = {name: float(score) for name, score in of_flat.scores().items()}
    return Scores(read, len(parses) - read, of_heads.scores(), reference, right.relations())


def traces(model: Model, texts: Sequence[str]) -> Iterator[Trace]:
    """The traces of sentences, as `measure` reads them."""
    model.require(Ability.ATTENTION, "show what its heads look at")
    for start in range(0, len(texts), BATCH):
        encodings = [_encode(model, text) for text in texts[start : start + BATCH]]
        yield from model.trace_encodings(encodings, Capture.ATTENTION)


def _tallies(trace: Trace, parse: Parse) -> tuple[Tally, Tally, Hits] | None:
    attention, encoding = captured(trace.attention), trace.encoding
    pattern, causal = attention.pattern, attention.causal
    right = hits(pattern, encoding, parse, causal)
    if right is None:
        return None
    even = tally(flat(len(encoding), causal), encoding, causal)
    return tally(pattern, encoding, causal), even, right


def _encode(model: Model, text: str) -> Encoding:
    start = model.tokenizer.start
    if Ability.GENERATE not in model.abilities or start is None:
        return model.encode(text)
    encoding = model.encode(text, limit=context_length(model.config) - 1)
    if encoding.special[0]:
        return encoding
    return replace(
        encoding,
        tokens=[model.tokenizer.token(start), *encoding.tokens],
        ids=torch.cat([torch.tensor([start]), encoding.ids]),
        spans=[(0, 0), *encoding.spans],
        special=torch.cat([torch.tensor([True]), encoding.special]),
        segments=torch.cat([encoding.segments[:1], encoding.segments]),
    )
