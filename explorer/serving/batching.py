"""Passes that several clients ask for, made as one padded pass and given back a piece to each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from explorer.errors import FormatError
from explorer.models import LanguageModel
from explorer.models.family import Pass
from explorer.models.layers import Heads
from explorer.models.padding import BATCH_TOKENS
from explorer.serving.wire import Facts, Tensors
from explorer.trace import Capture, captured

HEADS = ("queries", "keys", "values", "pattern")


@dataclass(frozen=True, eq=False)
class Asked:
    """One pass over a batch of its own: some rows of one length, padded where `mask` is False.

    `at` are the places of which alone states are wanted, a row for each text.
    """

    ids: Tensor
    segments: Tensor | None
    mask: Tensor | None
    at: Tensor | None
    capture: Capture

    @property
    def rows(self) -> int:
        """How many texts."""
        return self.ids.shape[0]

    @property
    def length(self) -> int:
        """How many positions each has, padding included."""
        return self.ids.shape[1]

    @property
    def kind(self) -> tuple[Capture, bool, int]:
        """What must be equal in passes that are made together."""
        return self.capture, self.at is None, self.ids.ndim


def asked(tensors: Tensors, facts: Facts) -> Asked:
    """The pass that a body asks for. Raises FormatError for one that is none.

    >>> asked({"ids": torch.tensor([[1, 2]])}, {"capture": ["HIDDEN"]}).length
    2
    """
    known = {flag.name: flag for flag in (Capture.HIDDEN, Capture.ATTENTION, Capture.LOGITS)}
    names = facts.get("capture")
    if not isinstance(names, list) or not all(name in known for name in map(str, names)):
        raise FormatError(f"{names!r:.60} is not what can be kept of a pass.")
    capture = Capture.NONE
    for name in names:
        capture |= known[name]
    ids, mask = tensors.get("ids"), tensors.get("mask")
    segments, at = tensors.get("segments"), tensors.get("at")
    if ids is None or ids.dtype is not torch.long or ids.ndim not in (2, 3) or not ids.numel():
        raise FormatError("There are no ids to read.")
    for name, other, kind in (("segments", segments, torch.long), ("mask", mask, torch.bool)):
        if other is not None and (other.dtype is not kind or other.shape != ids.shape[:2]):
            raise FormatError(f"The {name} do not fit the ids.")
    if at is not None and (at.dtype is not torch.long or at.ndim != 2 or len(at) != len(ids)):
        raise FormatError("The places do not fit the ids.")
    return Asked(ids, segments, mask, at, capture)


def together(passes: Sequence[Asked], most: int = BATCH_TOKENS) -> list[list[int]]:
    """Which passes are made as one: of one kind, of like length, and near `most` tokens with the padding.

    >>> one, other = (Asked(torch.ones(2, n).long(), None, None, None, Capture.NONE) for n in (3, 40))
    >>> together([one, other, one], most=20)
    [[0, 2], [1]]
    """
    kinds: dict[Any, list[int]] = {}
    for i in sorted(range(len(passes)), key=lambda i: passes[i].length):
        kinds.setdefault(passes[i].kind, []).append(i)
    groups: list[list[int]] = []
    for members in kinds.values():
        group: list[int] = []
        for i in members:
            rows = passes[i].rows + sum(passes[j].rows for j in group)
            if group and rows * passes[i].length > most:
                groups.append(group)
                group = []
            group.append(i)
        groups.append(group)
    return groups


def run_together(model: LanguageModel, passes: Sequence[Asked]) -> list[tuple[Tensors, Facts]]:
    """Make passes of one kind as one, and answer each by itself; equal to each alone up to rounding."""
    first = passes[0]
    if len(passes) == 1:
        return [answer(_run(model, first), first.capture, 0, first)]
    length = max(one.length for one in passes)
    ids = torch.cat([_wider(one.ids, length, model.tokenizer.padding) for one in passes])
    segments = None
    if any(one.segments is not None for one in passes):
        one_segment = [torch.zeros(p.rows, p.length, dtype=torch.long) for p in passes]
        known = [zeros if p.segments is None else p.segments for p, zeros in zip(passes, one_segment)]
        segments = torch.cat([_wider(part, length, 0) for part in known])
    masks = [torch.ones(p.rows, p.length, dtype=torch.bool) if p.mask is None else p.mask for p in passes]
    mask = torch.cat([_wider(part, length, False) for part in masks])
    at = None
    if first.at is not None:
        most = max(captured(one.at).shape[1] for one in passes)
        at = torch.cat([_wider(captured(one.at), most, 0) for one in passes])
    result = _run(model, Asked(ids, segments, None if mask.all() else mask, at, first.capture))
    found, row = [], 0
    for one in passes:
        found.append(answer(result, one.capture, row, one))
        row += one.rows
    return found


def _wider(part: Tensor, length: int, value: float) -> Tensor:
    """Rows with as many positions as the longest has, the new ones filled with a value."""
    missing = part.new_full((part.shape[0], length - part.shape[1], *part.shape[2:]), value)
    return torch.cat([part, missing], dim=1)


def _run(model: LanguageModel, one: Asked) -> Pass:
    device = model.device
    placed = {
        name: None if value is None else value.to(device)
        for name, value in (("segments", one.segments), ("mask", one.mask))
    }
    at = {} if one.at is None else {"at": one.at.to(device)}
    with torch.no_grad():
        result: Pass = model.network(one.ids.to(device), **placed, capture=one.capture, **at)
    return result


def answer(result: Pass, capture: Capture, row: int, one: Asked) -> tuple[Tensors, Facts]:
    """The rows of a pass that one client asked for, without what was padded for the others."""
    rows = slice(row, row + one.rows)
    n = one.length if one.at is None else one.at.shape[1]

    def stacked(states: Sequence[Tensor]) -> Tensor:
        return torch.stack([state[rows, ..., :n, :] for state in states])

    found: Tensors = {}
    if result.hidden_states is not None:
        found["hidden"] = stacked(result.hidden_states)
    # The last state is in most networks the last of all, and need not be sent twice.
    if result.hidden_states is None or result.last is not result.hidden_states[-1]:
        found["last"] = result.last[rows, :n]
    if result.heads is not None:
        for name in HEADS[:-1]:
            found[name] = stacked([getattr(heads, name) for heads in result.heads])
        found["pattern"] = torch.stack([heads.pattern[rows, :, :n, :n] for heads in result.heads])
    if result.logits is not None:
        found["logits"] = result.logits[rows, :n]
    return found, {}


def understood(tensors: Tensors) -> Pass:
    """An answer as the pass that it was. Raises FormatError for one that is none."""
    try:
        states = list(tensors["hidden"].unbind(0)) if "hidden" in tensors else None
        last = tensors["last"] if "last" in tensors else captured(states)[-1]
        heads = None
        if "pattern" in tensors:
            heads = [
                Heads(*layer) for layer in zip(*(tensors[name].unbind(0) for name in HEADS), strict=True)
            ]
        return Pass(last=last, hidden_states=states, heads=heads, logits=tensors.get("logits"))
    except (KeyError, ValueError, IndexError) as error:
        raise FormatError("The server's answer is no pass of a network.") from error
