"""The training loop of all probes: Adam with a learning rate that decays linearly to 0."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor


@dataclass(frozen=True)
class TrainingConfig:
    """The hyperparameters of a probe, the same for all layers; chosen before any result was seen."""

    epochs: int = 8
    batch: int = 512
    rate: float = 0.005
    seed: int = 0


CONFIG = TrainingConfig()


def fit(
    parameters: Iterable[Tensor] | Iterable[dict[str, Any]],
    loss: Callable[[Int[Tensor, "batch"]], Tensor],
    examples: int,
    config: TrainingConfig,
) -> None:
    """Minimise `loss(indices of a batch)` by Adam (Kingma and Ba 2015); the parameters change in place.

    They may be in groups, as torch's optimisers take them, with rates of their own.
    The same seed gives the same result.
    """
    generator = torch.Generator().manual_seed(config.seed)
    optimizer = torch.optim.Adam(parameters, lr=config.rate)
    steps = config.epochs * -(-examples // config.batch)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=steps)
    for _ in range(config.epochs):
        for batch in torch.randperm(examples, generator=generator).split(config.batch):
            optimizer.zero_grad()
            loss(batch).backward()
            optimizer.step()
            schedule.step()
