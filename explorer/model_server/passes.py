"""A forward pass that a client asks for: the request, its computation, and the answer as a pass."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from explorer.errors import FormatError
from explorer.model_server.wire import Facts, Tensors
from explorer.models import LanguageModel
from explorer.models.family import Pass
from explorer.models.layers import Heads, vectors_at
from explorer.trace import Capture

HEADS = ("queries", "keys", "values", "pattern")


@dataclass(frozen=True, eq=False)
class PassRequest:
    """One forward pass over a client's own padded batch.

    `ids` is `batch pos`, or `batch pos char` for a model that spells its words. `mask` is False at padding.
    With `at`, `batch place`, states are wanted at these positions only.
    """

    ids: Tensor
    segments: Tensor
    mask: Tensor
    at: Tensor | None
    capture: Capture

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
            return cls(ids, segments, mask, at, Capture(facts["capture"]))
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError("The request does not say what to keep of the pass.") from error


def run(model: LanguageModel, request: PassRequest) -> Tensors:
    """The tensors of a pass: `last` or `hidden` states, what each head computed, `logits`, as requested."""
    at = None if request.at is None else request.at.to(model.device)
    can_pick = getattr(model.network, "memory_efficient", False)
    options: dict[str, Any] = {"at": at} if can_pick and at is not None else {}
    with torch.no_grad():
        result = model.network(
            request.ids.to(model.device),
            segments=request.segments.to(model.device),
            mask=None if request.mask.all() else request.mask.to(model.device),
            capture=request.capture,
            **options,
        )
    if at is not None and not can_pick:
        hidden = result.hidden_states and [vectors_at(states, at) for states in result.hidden_states]
        result = Pass(last=vectors_at(result.last, at), hidden_states=hidden)
    return _as_tensors(result)


def _as_tensors(result: Pass) -> Tensors:
    tensors: Tensors = {}
    if result.hidden_states is not None:
        tensors["hidden"] = torch.stack(list(result.hidden_states))
    # In most networks the last state is among the hidden states, and need not be sent twice.
    if result.hidden_states is None or result.last is not result.hidden_states[-1]:
        tensors["last"] = result.last
    if result.heads is not None:
        for name in HEADS:
            tensors[name] = torch.stack([getattr(heads, name) for heads in result.heads])
    if result.logits is not None:
        tensors["logits"] = result.logits
    return tensors


def as_pass(tensors: Tensors) -> Pass:
    """A server's answer as the pass that it describes. Raises FormatError if it is malformed."""
    try:
        states = list(tensors["hidden"].unbind(0)) if "hidden" in tensors else None
        last = tensors["last"] if states is None or "last" in tensors else states[-1]
        heads = None
        if "pattern" in tensors:
            layers = zip(*(tensors[name].unbind(0) for name in HEADS), strict=True)
            heads = [Heads(*layer) for layer in layers]
        return Pass(last=last, hidden_states=states, heads=heads, logits=tensors.get("logits"))
    except (KeyError, ValueError, IndexError) as error:
        raise FormatError("The server's answer is not a forward pass.", "Try again.") from error
