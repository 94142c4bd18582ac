"""A forward pass that a client asks for: the request, its computation, and the answer as a pass.

Changes of activations travel as data (`explorer.models.interventions`), and a second request, with the slope
of what the client computes from an answer (`slope/NAME`), brings the gradients of what it had sent.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from explorer.errors import FormatError
from explorer.model_server.wire import Facts, Tensors
from explorer.models import LanguageModel
from explorer.models.family import Pass, Start
from explorer.models.interventions import Intervention, Interventions
from explorer.models.layers import Heads, vectors_at
from explorer.trace import Capture

HEADS = ("queries", "keys", "values", "pattern")
VALUES, KEPT, SLOPE = "values/", "kept/", "slope/"  # what names of tensors begin with
LISTS = ("rows", "heads", "positions")  # of an intervention

Index = Annotated[int, Field(ge=0, lt=2**31)]
Indices = Annotated[list[Index], Field(max_length=65_536)] | None


class Place(BaseModel):
    """An intervention without its values."""

    model_config = ConfigDict(strict=True, extra="forbid")

    site: str
    layer: Index | None
    operation: str
    rows: Indices
    heads: Indices
    positions: Indices


class PassFacts(BaseModel):
    """What is kept of a pass, the layer at which it begins, its changes, and what to differentiate by."""

    model_config = ConfigDict(strict=True, extra="forbid")

    capture: int
    start: Index = 0
    changes: Annotated[list[Place], Field(max_length=4096)] = []
    keep: list[str] = []
    wanted: list[str] = []


@dataclass(frozen=True, eq=False)
class PassRequest:
    """One forward pass over a client's own padded batch.

    `ids` is `batch pos`, or `batch pos char` for a model that spells its words. `mask` is False at padding.
    With `at`, `batch place`, states are wanted at these positions. A pass may begin at a layer (`start`),
    from states of one row for all. Of `wanted` tensors the gradients are the answer, by the `slopes`.
    """

    ids: Tensor
    segments: Tensor
    mask: Tensor
    at: Tensor | None
    capture: Capture
    edit: Interventions | None
    start: Start | None
    wanted: Tensors
    slopes: Tensors

    @classmethod
    def parse(cls, tensors: Tensors, facts: Facts) -> "PassRequest":
        """The request in a body. Raises FormatError if it is malformed."""
        ids, at = tensors.get("ids"), tensors.get("at")
        if ids is None or ids.dtype is not torch.long or ids.ndim not in (2, 3) or not ids.numel():
            raise FormatError("The request has no token ids.")
        segments = tensors.get("segments", torch.zeros(ids.shape[:2], dtype=torch.long))
        mask = tensors.get("mask", torch.ones(ids.shape[:2], dtype=torch.bool))
        for tensor, dtype in ((segments, torch.long), (mask, torch.bool)):
            if tensor.dtype is not dtype or tensor.shape != ids.shape[:2]:
                raise FormatError("The segments or the mask do not fit the token ids.")
        if at is not None and (at.dtype is not torch.long or at.ndim != 2 or len(at) != len(ids)):
            raise FormatError("The positions do not fit the token ids.")
        try:
            said = PassFacts.model_validate(facts)
            values = [tensors[f"{VALUES}{i}"] for i in range(len(said.changes))]
            wanted, states = {name: tensors[name] for name in said.wanted}, tensors.get("states")
            if not all(one.is_floating_point() for one in (*values, *wanted.values())):
                raise TypeError("numbers that have no gradient")
            changes = [Intervention(**dict(place), values=one) for place, one in zip(said.changes, values)]
            edit = Interventions(changes, said.keep) if changes or said.keep else None
            start = None if states is None else Start(said.start, states)
            capture, slopes = Capture(said.capture), slopes_of(tensors)
            return cls(ids, segments, mask, at, capture, edit, start, wanted, slopes)
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError("The request does not say what to do in the pass.") from error


def run(model: LanguageModel, request: PassRequest) -> Tensors:
    """The tensors of a pass: `last` or `hidden` states, what each head computed, `logits`, as requested."""
    for tensor in request.wanted.values():
        tensor.requires_grad_()
    at = None if request.at is None else request.at.to(model.device)
    whole = request.edit is not None or request.start is not None
    can_pick = not whole and getattr(model.network, "memory_efficient", False)
    options: dict[str, Any] = {"at": at} if can_pick and at is not None else {}
    if request.start is not None:
        states = request.start.states.expand(len(request.ids), -1, -1)
        options["start"] = Start(request.start.layer, states.to(next(model.network.parameters())))
    with torch.set_grad_enabled(bool(request.wanted)):
        result = model.network(
            request.ids.to(model.device),
            segments=request.segments.to(model.device),
            mask=None if request.mask.all() else request.mask.to(model.device),
            capture=request.capture,
            edit=request.edit,
            **options,
        )
    if at is not None and not can_pick:
        hidden = result.hidden_states and [vectors_at(states, at) for states in result.hidden_states]
        result = Pass(last=vectors_at(result.last, at), hidden_states=hidden)
    answer = _as_tensors(result)
    for (site, layer), tensor in request.edit.kept.items() if request.edit else ():
        answer[f"{KEPT}{site}/{layer}"] = tensor
    return gradients(answer, request.wanted, request.slopes) if request.wanted else answer


def gradients(answer: Tensors, wanted: Tensors, slopes: Tensors) -> Tensors:
    """The gradients of what a client computes from an answer, given its slopes there."""
    names = [name for name in slopes if name in answer]
    if not names or any(slopes[name].shape != answer[name].shape for name in names):
        raise FormatError("The slopes do not fit the answer.")
    names = [name for name in names if answer[name].requires_grad]
    if not names:
        return {}  # nothing of it comes from what is wanted
    outputs, directions = [answer[name] for name in names], [slopes[name].to(answer[name]) for name in names]
    results = torch.autograd.grad(outputs, list(wanted.values()), directions, allow_unused=True)
    return {name: one for name, one in zip(wanted, results, strict=True) if one is not None}


def slopes_of(tensors: Tensors) -> Tensors:
    """The slopes among the tensors of a request, by the names of what they belong to."""
    return {name.removeprefix(SLOPE): one for name, one in tensors.items() if name.startswith(SLOPE)}


def changes_of(edit: Interventions) -> tuple[Tensors, Facts]:
    """Changes as the tensors and facts of a request."""
    changes: list[Facts] = [
        {"site": change.site, "layer": change.layer, "operation": change.operation}
        | {name: None if (one := getattr(change, name)) is None else [*one] for name in LISTS}
        for change in edit.changes
    ]
    tensors = {f"{VALUES}{i}": change.values for i, change in enumerate(edit.changes)}
    return tensors, {"changes": changes, "keep": list(edit.keep)}


def _as_tensors(result: Pass) -> Tensors:
    tensors: Tensors = {}
    if result.hidden_states is not None:
        tensors["hidden"] = torch.stack(list(result.hidden_states))
    # In most networks the last state is among the hidden states, and need not be sent twice.
    if result.hidden_states is None or result.last is not result.hidden_states[-1]:
        tensors["last"] = result.last
    if result.heads:
        for name in HEADS:
            tensors[name] = torch.stack([getattr(heads, name) for heads in result.heads])
    if result.logits is not None:
        tensors["logits"] = result.logits
    return tensors


def as_pass(tensors: Tensors, edit: Interventions | None = None) -> Pass:
    """A server's answer as the pass that it describes; what an `edit` keeps is given to it.

    Raises FormatError if it is malformed.
    """
    try:
        for name, tensor in tensors.items():
            if edit is not None and name.startswith(KEPT):
                site, layer = name.removeprefix(KEPT).split("/")
                edit.kept[site, int(layer)] = tensor
        states = list(tensors["hidden"].unbind(0)) if "hidden" in tensors else None
        last = tensors["last"] if states is None or "last" in tensors else states[-1]
        heads = None
        if "pattern" in tensors:
            layers = zip(*(tensors[name].unbind(0) for name in HEADS), strict=True)
            heads = [Heads(*layer) for layer in layers]
        return Pass(last=last, hidden_states=states, heads=heads, logits=tensors.get("logits"))
    except (KeyError, ValueError, IndexError) as error:
        raise FormatError("The server's answer is not a forward pass.", "Try again.") from error
