"""Forward passes that several clients ask for, run as one padded batch and taken apart again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

from explorer.errors import FormatError
from explorer.model_server.wire import Facts, Tensors
from explorer.models import LanguageModel
from explorer.models.family import Pass
from explorer.models.layers import Heads, vectors_at
from explorer.models.padding import BATCH_TOKENS
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
        """The request in a body. Raises FormatError if it is malformed.

        >>> PassRequest.parse({"ids": torch.tensor([[1, 2]])}, {"capture": 1}).mask
        tensor([[True, True]])
        """
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


def run_together(model: LanguageModel, requests: Sequence[PassRequest]) -> list[Tensors | Exception]:
    """Each request's answer: as if run alone, up to rounding. An error concerns its own group only."""
    answers: dict[int, Tensors | Exception] = {}
    for group in groups(requests):
        try:
            results: Sequence[Tensors | Exception] = _run_group(model, [requests[i] for i in group])
        except Exception as error:
            results = [error] * len(group)
        answers.update(zip(group, results, strict=True))
    return [answers[i] for i in range(len(requests))]


def groups(requests: Sequence[PassRequest], most: int = BATCH_TOKENS) -> list[list[int]]:
    """Indices of requests to run as one batch: alike in what is kept, and near `most` tokens with padding.

    >>> short, long = (PassRequest.parse({"ids": torch.ones(2, n).long()}, {"capture": 0}) for n in (3, 40))
    >>> groups([short, long, short], most=20)
    [[0, 2], [1]]
    """

    def fit(batch: Sequence[PassRequest]) -> bool:
        alike = len({request.capture for request in batch}) == 1 and all(r.at is None for r in batch)
        return alike and sum(len(r.ids) for r in batch) * max(r.ids.shape[1] for r in batch) <= most

    grouped: list[list[int]] = []
    for i in sorted(
        range(len(requests)), key=lambda i: (requests[i].capture.value, requests[i].ids.shape[1])
    ):
        if grouped and fit([requests[j] for j in (*grouped[-1], i)]):
            grouped[-1].append(i)
        else:
            grouped.append([i])
    return grouped


def _run_group(model: LanguageModel, requests: Sequence[PassRequest]) -> list[Tensors]:
    length = max(request.ids.shape[1] for request in requests)

    def join(parts: Sequence[Tensor], value: float) -> Tensor:
        before = [0, 0] * (parts[0].ndim - 2)  # `pad` counts the dimensions from the last
        return torch.cat([pad(part, (*before, 0, length - part.shape[1]), value=value) for part in parts])

    ids = join([request.ids for request in requests], model.tokenizer.padding)
    segments = join([request.segments for request in requests], 0)
    mask = join([request.mask for request in requests], False)
    at = None if requests[0].at is None else requests[0].at.to(model.device)
    can_pick = getattr(model.network, "memory_efficient", False)
    options: dict[str, Any] = {"at": at} if can_pick and at is not None else {}
    with torch.no_grad():
        result = model.network(
            ids.to(model.device),
            segments=segments.to(model.device),
            mask=None if mask.all() else mask.to(model.device),
            capture=requests[0].capture,
            **options,
        )
    if at is not None and not can_pick:
        hidden = result.hidden_states and [vectors_at(states, at) for states in result.hidden_states]
        result = Pass(last=vectors_at(result.last, at), hidden_states=hidden)
    answers, row = [], 0
    for request in requests:
        rows, row = slice(row, row + len(request.ids)), row + len(request.ids)
        answers.append(_crop(result, rows, (request.ids if at is None else at).shape[1]))
    return answers


def _crop(result: Pass, rows: slice, length: int) -> Tensors:
    """One client's rows of a pass as tensors, without the padding for the others."""

    def stack(states: Sequence[Tensor]) -> Tensor:
        return torch.stack([state[rows, ..., :length, :] for state in states])

    tensors: Tensors = {}
    if result.hidden_states is not None:
        tensors["hidden"] = stack(result.hidden_states)
    # In most networks the last state is among the hidden states, and need not be sent twice.
    if result.hidden_states is None or result.last is not result.hidden_states[-1]:
        tensors["last"] = result.last[rows, :length]
    if result.heads is not None:
        for name in HEADS:
            tensors[name] = stack([getattr(heads, name) for heads in result.heads])
        tensors["pattern"] = tensors["pattern"][..., :length]
    if result.logits is not None:
        tensors["logits"] = result.logits[rows, :length]
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
