"""Muon for the matrices inside the blocks, AdamW for everything else.

Muon (Jordan et al. 2024, https://kellerjordan.github.io/posts/muon): momentum, then the
update made (nearly) orthogonal by five Newton-Schulz steps, so that every direction of a
matrix learns at the same rate.
"""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from training.run.precision import faster_in_bf16

COEFFICIENTS = (3.4445, -4.7750, 2.0315)


def orthogonal(update: Float[Tensor, "*batch rows columns"], steps: int = 5) -> Tensor:
    """The same matrices with all their singular values near 1 (between about 0.7 and 1.2)."""
    a, b, c = COEFFICIENTS
    x: Tensor = update.bfloat16() if faster_in_bf16(update.device) else update
    tall = x.shape[-2] > x.shape[-1]
    x = x.mT if tall else x
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(steps):
        gram = x @ x.mT
        x = a * x + (b * gram + c * gram @ gram) @ x
    return (x.mT if tall else x).to(update.dtype)


class Muon(torch.optim.Optimizer):
    """Momentum with orthogonal updates, for matrices. A stack of `parts` matrices is treated apart."""

    def __init__(
        self, groups: list[dict[str, Any]], lr: float, momentum: float = 0.95, decay: float = 0.01
    ) -> None:
        super().__init__(groups, {"lr": lr, "momentum": momentum, "weight_decay": decay, "parts": 1})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # no closure is ever called
        """One update: Nesterov momentum, orthogonalised, scaled so that wide and tall agree."""
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                state = self.state[weight]
                if not state:
                    state["momentum"] = torch.zeros_like(weight)
                average = state["momentum"].lerp_(weight.grad, 1 - group["momentum"])
                update = weight.grad.lerp(average, group["momentum"])
                pieces = update.view(group["parts"], -1, weight.shape[1])
                scale = max(1.0, pieces.shape[1] / pieces.shape[2]) ** 0.5
                weight.mul_(1 - group["lr"] * group["weight_decay"])
                weight.add_(orthogonal(pieces).view_as(weight), alpha=-group["lr"] * scale)


def muon_and_adamw(
    network: nn.Module, muon: float = 0.02, adamw: float = 3e-3, blocks: tuple[str, ...] = ("blocks.",)
) -> list[torch.optim.Optimizer]:
    """For a network that starts from zero: the blocks' matrices to Muon, the rest to AdamW.

    `blocks` are the beginnings of the blocks' names. Queries, keys and values lie in one tensor, but
    are three matrices (or two, where the queries stand alone), each made orthogonal by itself.
    """
    named = list(network.named_parameters())
    body = [(n, p) for n, p in named if n.startswith(blocks) and p.ndim == 2]
    parts = [3 if ".qkv." in n else 2 if ".kv." in n else 1 for n, _ in body]
    groups = [
        {"params": [p for (_, p), count in zip(body, parts, strict=True) if count == many], "parts": many}
        for many in (3, 2, 1)
        if many in parts
    ]
    inside = {id(p) for _, p in body}
    rest = [p for _, p in named if id(p) not in inside]
    return [
        Muon(groups, lr=muon),
        torch.optim.AdamW(rest, lr=adamw, betas=(0.9, 0.98), eps=1e-10, weight_decay=0.0, fused=True),
    ]


def adamw_by_part(
    network: nn.Module, fresh: tuple[str, ...], body: float = 3e-4, head: float = 2e-3
) -> list[torch.optim.Optimizer]:
    """For a warm start: a low rate where weights were trained before, a higher one where they are fresh."""
    old: list[nn.Parameter] = []
    new: list[nn.Parameter] = []
    for name, parameter in network.named_parameters():
        (new if name.startswith(fresh) else old).append(parameter)
    groups: list[dict[str, Any]] = [{"params": old, "lr": body}, {"params": new, "lr": head}]
    return [torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-8, weight_decay=0.01, fused=True)]
