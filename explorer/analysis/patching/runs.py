"""Passes of a network whose states are read or replaced, over one text in as many rows as there are edits."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.models.base import Model
from explorer.models.family import Pass, Start
from explorer.models.interventions import Intervention, Interventions
from explorer.models.language_model import LanguageModel, with_attention
from explorer.models.parameters import Norm, of_norm
from explorer.trace import Ability, Capture, Edit, Encoding

Sites = dict[tuple[str, int], Tensor]  # by site and layer: what one run had there, [1, ...]
ROWS_TOKENS = 512  # tokens of one batch of patched runs


def local(model: Model) -> LanguageModel:
    """The model itself, if it has heads and predicts words. Raises AbilityError otherwise."""
    own = with_attention(model, "be patched")
    own.require(Ability.FILL | Ability.GENERATE, "predict words")
    return own


def run(
    model: LanguageModel,
    encoding: Encoding,
    rows: int = 1,
    edit: Edit | None = None,
    start: Start | None = None,
    capture: Capture = Capture.NONE,
) -> Pass:
    """A pass over a text, repeated in as many rows."""
    ids = encoding.ids.expand(rows, -1).to(model.device)
    segments = encoding.segments.expand(rows, -1).to(model.device)
    result: Pass = model.network(ids, segments=segments, capture=capture, edit=edit, start=start)
    return result


def answers(
    model: LanguageModel,
    encoding: Encoding,
    position: int,
    rows: int = 1,
    edit: Edit | None = None,
    start: Start | None = None,
) -> Float[Tensor, "row d_vocab"]:
    """The logits at a position, of a text repeated in as many rows that `edit` makes different."""
    with torch.no_grad():
        return unembed(model, run(model, encoding, rows, edit, start).last[:, position]).float().cpu()


def unembed(model: LanguageModel, states: Float[Tensor, "*row d_model"]) -> Float[Tensor, "*row d_vocab"]:
    """The logits of last states, with gradients, which the model's own `unembed` does not keep."""
    logits: Tensor = cast(Any, model.network).unembed(states)
    return logits


def scores(model: LanguageModel, state: Float[Tensor, "d_model"]) -> Float[Tensor, "d_vocab"]:
    """The logits of a state that the last norm, if the network has one, has read; with gradients."""
    logits: Tensor = cast(Any, model.network).scores(state)
    return logits


def last_norm(model: LanguageModel) -> Norm | None:
    """The norm between the last layer and the head; None in a post-norm network, which has none.

    >>> last_norm(explorer.load("bert")) is None, last_norm(explorer.load("gpt")).rms
    (True, False)
    """
    network: Any = model.network
    return of_norm(network.norm) if hasattr(network, "final_norm") else None


def record(
    model: LanguageModel, encoding: Encoding, sites: Sequence[str], noise: Tensor | None = None
) -> Sites:
    """What a run has at some sites, in every layer; `noise` is added to the vectors of its tokens."""
    added = [] if noise is None else [Intervention("embedding", 0, "add", noise)]
    edit = Interventions(added, keep=sites)
    with torch.no_grad():
        run(model, encoding, edit=edit)
    return edit.kept


def start_at(states: Sites, layer: int, rows: int) -> Start:
    """The start of a run at a layer, from the states kept below it, in as many rows."""
    below = states["hidden", layer - 1] if layer else states["embedding", 0]
    return Start(layer, below.expand(rows, -1, -1))


def in_rows(count: int, tokens: int) -> Iterator[range]:
    """The rows of a batch of patched runs, a few at a time.

    >>> [list(rows) for rows in in_rows(5, 200)]
    [[0, 1], [2, 3], [4]]
    """
    size = max(1, ROWS_TOKENS // tokens)
    return (range(at, min(at + size, count)) for at in range(0, count, size))
