"""Muon for the matrices inside the blocks, AdamW for everything else.

Muon (Jordan et al. 2024, https://kellerjordan.github.io/posts/muon): momentum, and an update made (nearly)
orthogonal by five Newton-Schulz steps, so that every direction of a matrix learns at the same rate. The
update is that of `torch.optim.Muon`, which always computes in bfloat16: without bfloat16 instructions a CPU
takes 12 to 40 times as long (a 256 x 1024 matrix on one thread with AVX2: 950 ms, here 27 ms). Here queries,
keys and values that share one tensor are also made orthogonal separately.
"""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from explorer.models.precision import faster_in_bfloat16

COEFFICIENTS = (3.4445, -4.7750, 2.0315)


def orthogonal(update: Float[Tensor, "*batch rows columns"], steps: int = 5) -> Tensor:
    """Matrices with the same singular vectors and all singular values near 1 (about 0.7 to 1.2)."""
    a, b, c = COEFFICIENTS
    x: Tensor = update.bfloat16() if faster_in_bfloat16() else update
    tall = x.shape[-2] > x.shape[-1]
    x = x.mT if tall else x
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(steps):
        product = x @ x.mT
        x = a * x + (b * product + c * product @ product) @ x
    return (x.mT if tall else x).to(update.dtype)


class Muon(torch.optim.Optimizer):
    """Momentum with orthogonal updates; the `parts` matrices stacked in one tensor are updated separately."""

    def __init__(
        self, groups: list[dict[str, Any]], lr: float, momentum: float = 0.95, decay: float = 0.01
    ) -> None:
        super().__init__(groups, {"lr": lr, "momentum": momentum, "weight_decay": decay, "parts": 1})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # no closure is ever called
        """Update the weights: Nesterov momentum, made orthogonal, scaled by the matrix's shape."""
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
    """Optimisers for a network with random weights: Muon for the blocks' matrices, AdamW for the rest.

    `blocks` are prefixes of the blocks' names. Queries, keys and values in one tensor are three matrices;
    keys and values in one tensor are two.
    """
    parameters = list(network.named_parameters())
    body = [(n, p) for n, p in parameters if n.startswith(blocks) and p.ndim == 2]
    parts = [3 if ".qkv." in n else 2 if ".kv." in n else 1 for n, _ in body]
    groups = [
        {"params": [p for (_, p), count in zip(body, parts, strict=True) if count == many], "parts": many}
        for many in (3, 2, 1)
        if many in parts
    ]
    inside = {id(p) for _, p in body}
    rest = [p for _, p in parameters if id(p) not in inside]
    return [
        Muon(groups, lr=muon),
        torch.optim.AdamW(rest, lr=adamw, betas=(0.9, 0.98), eps=1e-10, weight_decay=0.0, fused=True),
    ]


def adamw_by_part(
    network: nn.Module, fresh: tuple[str, ...], body: float = 3e-4, head: float = 2e-3
) -> list[torch.optim.Optimizer]:
    """Optimiser for a warm start: a low rate for trained weights, a higher one for `fresh` ones."""
    old: list[nn.Parameter] = []
    new: list[nn.Parameter] = []
    for name, parameter in network.named_parameters():
        (new if name.startswith(fresh) else old).append(parameter)
    groups: list[dict[str, Any]] = [{"params": old, "lr": body}, {"params": new, "lr": head}]
    return [torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-8, weight_decay=0.01, fused=True)]


def log_frequencies(counts: Tensor) -> Tensor:
    """Logarithm of each token's smoothed relative frequency, with which output biases start."""
    return ((counts + 0.5) / (counts.sum() + 0.5 * len(counts))).log()


def initialise_normal(network: nn.Module, seed: int = 0) -> None:
    """BERT's initial weights, in place: N(0, 0.02), biases 0; norms stay."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in network.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif "norm" not in name:
            nn.init.normal_(parameter, std=0.02, generator=generator)
