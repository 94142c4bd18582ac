"""The loop of every gradient training: seeded batches, a learning-rate schedule, clipped AdamW steps."""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch
from torch import nn

WARM_UP = 0.1  # of the steps
WEIGHT_DECAY = 0.01
MAX_NORM = 1.0  # of the gradient
SORTED_BATCHES = 8  # batches whose examples are sorted by length together, to save padding
Result = TypeVar("Result")


def linear_schedule(step: int, total: int) -> float:
    """Share of the highest rate at a step: up in the first tenth, then down to 0 (Devlin et al. 2019).

    >>> [linear_schedule(step, 20) for step in (0, 1, 11)]
    [0.5, 1.0, 0.5]
    """
    warm = max(1, round(total * WARM_UP))
    return (step + 1) / warm if step < warm else max(0.0, (total - step) / max(1, total - warm))


def batch_order(lengths: Sequence[int], batch: int, seed: int, epoch: int) -> list[list[int]]:
    """The batches of an epoch, as example numbers: shuffled, sorted by length in stretches, shuffled again.

    >>> sorted(i for batch in batch_order([3, 5, 2, 4], 2, seed=0, epoch=0) for i in batch)
    [0, 1, 2, 3]
    """
    generator = torch.Generator().manual_seed(seed * 1_000_003 + epoch)
    shuffled = torch.randperm(len(lengths), generator=generator).tolist()
    stretch = batch * SORTED_BATCHES
    batches: list[list[int]] = []
    for start in range(0, len(shuffled), stretch):
        by_length = sorted(shuffled[start : start + stretch], key=lambda i: lengths[i])
        batches += [by_length[i : i + batch] for i in range(0, len(by_length), batch)]
    return [batches[i] for i in torch.randperm(len(batches), generator=generator).tolist()]


class Minibatches:
    """Steps of AdamW over the batches of some epochs. `completed` counts them, `total` is their number.

    `groups` are parameter groups of an optimizer, each with its highest rate as `lr`, which follows
    `linear_schedule`. The seed alone decides the order of the examples, whose `lengths` are in tokens.
    """

    def __init__(
        self, groups: Sequence[dict[str, Any]], lengths: Sequence[int], batch: int, epochs: int, seed: int
    ) -> None:
        self._lengths, self._batch, self._seed = list(lengths), batch, seed
        self.per_epoch = math.ceil(len(lengths) / batch)
        self.completed, self.total = 0, self.per_epoch * epochs
        self._batches: tuple[int, list[list[int]]] = -1, []
        self.optimizer = torch.optim.AdamW(
            [{**group, "top": group["lr"]} for group in groups], weight_decay=WEIGHT_DECAY, fused=True
        )

    @property
    def epoch(self) -> int:
        """The epoch of the next step, from 0."""
        return self.completed // self.per_epoch

    def step(self, backward: Callable[[list[int]], Result]) -> Result:
        """One step. `backward` is given the numbers of a batch's examples and adds their gradients."""
        epoch, position = divmod(self.completed, self.per_epoch)
        if self._batches[0] != epoch:
            self._batches = epoch, batch_order(self._lengths, self._batch, self._seed, epoch)
        factor = linear_schedule(self.completed, self.total)
        for group in self.optimizer.param_groups:
            group["lr"] = group["top"] * factor
        with torch.enable_grad():
            result = backward(self._batches[1][position])
        parameters = [p for group in self.optimizer.param_groups for p in group["params"]]
        nn.utils.clip_grad_norm_(parameters, MAX_NORM)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.completed += 1
        return result
