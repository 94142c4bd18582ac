"""The one training loop of all probes: Adam, the rate falling to nothing, the same result for a seed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor


@dataclass(frozen=True)
class Recipe:
    """How long and how fast a probe learns; chosen once, before any figure was seen, for all layers alike."""

    epochs: int = 8
    batch: int = 512
    rate: float = 0.005
    seed: int = 0


RECIPE = Recipe()


def fit(
    parameters: Iterable[Tensor],
    loss: Callable[[Int[Tensor, "batch"]], Tensor],
    examples: int,
    recipe: Recipe,
) -> None:
    """Lower `loss(indices of a batch)` by Adam (Kingma and Ba 2015); the parameters change in place."""
    chance = torch.Generator().manual_seed(recipe.seed)
    kept = list(parameters)
    optimizer = torch.optim.Adam(kept, lr=recipe.rate)
    steps = recipe.epochs * -(-examples // recipe.batch)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=steps)
    for _ in range(recipe.epochs):
        for batch in torch.randperm(examples, generator=chance).split(recipe.batch):
            optimizer.zero_grad()
            loss(batch).backward()
            optimizer.step()
            schedule.step()
