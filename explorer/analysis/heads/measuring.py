"""Every head of a model on many sentences whose grammar is known."""

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

    `behaviours[name]` as in BEHAVIOURS; nan where the model has nothing of the kind. `flat[name]`
    is what a head would have that looks at everything alike. `relations[name][direction]` has
    each head's accuracy beside that of the best fixed offset.

    >>> from explorer.analysis.heads import stored
    >>> scores = stored("bert").halves["written"]
    >>> scores.behaviours["previous"].shape, 0 < scores.flat["previous"] < 1
    (torch.Size([6, 12]), True)
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

    A model that reads from left to right reads <|endoftext|> first, as it did in training, so
    that the token on which heads rest is not the first word. Raises AbilityError for a model
    without attention, TextError where no sentence could be read.

    >>> import explorer
    >>> from explorer.analysis.heads.grammar import sentences
    >>> scores = measure(explorer.load("bert"), sentences(3))
    >>> scores.sentences, scores.skipped, scores.behaviours["previous"].shape
    (3, 0, torch.Size([6, 12]))
    """
    sums: tuple[Tally, Tally, Hits] | None = None
    read = 0
    for done, (trace, parse) in enumerate(zip(traces(model, parses), parses, strict=True), 1):
        found = _one(trace, parse)
        if found is not None:
            sums = found if sums is None else (sums[0] + found[0], sums[1] + found[1], sums[2] + found[2])
            read += 1
        if progress is not None:
            progress(done, len(parses))
    if sums is None:
        raise TextError(f"{model.checkpoint} could read none of the sentences whole.")
    of_heads, of_flat, right = sums
    reference = {name: float(score) for name, score in of_flat.scores().items()}
    return Scores(read, len(parses) - read, of_heads.scores(), reference, right.relations())


def traces(model: Model, parses: Sequence[Parse]) -> Iterator[Trace]:
    """The sentences' traces, as `measure` reads them."""
    model.require(Ability.ATTENTION, "show what its heads look at")
    for start in range(0, len(parses), BATCH):
        encodings = [_encode(model, parse.text) for parse in parses[start : start + BATCH]]
        yield from model.trace_encodings(encodings, Capture.ATTENTION)


def _one(trace: Trace, parse: Parse) -> tuple[Tally, Tally, Hits] | None:
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
    read = model.encode(text, limit=context_length(model.config) - 1)
    if read.special[0]:
        return read
    return replace(
        read,
        tokens=[model.tokenizer.token(start), *read.tokens],
        ids=torch.cat([torch.tensor([start]), read.ids]),
        spans=[(0, 0), *read.spans],
        special=torch.cat([torch.tensor([True]), read.special]),
        segments=torch.cat([read.segments[:1], read.segments]),
    )
