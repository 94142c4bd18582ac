"""Fine-tuning the whole body: a copy of the network learns with the head; the embeddings stay.

The recipe of Devlin et al. 2019: AdamW, a rate that rises over the first tenth and falls in a straight
line to 0, gradients cut at norm 1. The order of the examples is drawn from the seed alone, by `order`.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from explorer.finetuning.body import BLOCKS, Difference, copied, difference
from explorer.finetuning.features import Features
from explorer.finetuning.loss import loss, targets
from explorer.finetuning.low_rank import insert, taken_out
from explorer.finetuning.reading import Read, rows
from explorer.finetuning.tasks import Classes, Pairs, Task
from explorer.models.base import final_norm
from explorer.models.language_model import LanguageModel
from explorer.models.padding import padded

WARM_UP = 0.1
WEIGHT_DECAY = 0.01
CUT = 1.0  # the gradient's norm
TOKENS = 1024  # of a batch that is read at once: more would only take more memory
NEAR = 8  # batches whose examples are sorted by length, so that little is padding


@dataclass(frozen=True)
class Recipe:
    """How the whole body is trained. `rank` 0 trains the whole matrices."""

    epochs: int = 5
    batch: int = 16
    rate: float = 2e-4
    head_rate: float = 2e-3
    rank: int = 0
    seed: int = 0
    bfloat16: bool = False


def order(lengths: Sequence[int], batch: int, seed: int, epoch: int) -> list[list[int]]:
    """The batches of an epoch: shuffled, sorted by length within stretches of `NEAR`, shuffled again.

    >>> sorted(i for batch in order([3, 5, 2, 4], 2, seed=0, epoch=0) for i in batch)
    [0, 1, 2, 3]
    """
    generator = torch.Generator().manual_seed(seed * 1_000_003 + epoch)
    shuffled = torch.randperm(len(lengths), generator=generator).tolist()
    stretch = batch * NEAR
    found: list[list[int]] = []
    for start in range(0, len(shuffled), stretch):
        near = sorted(shuffled[start : start + stretch], key=lambda i: lengths[i])
        found += [near[i : i + batch] for i in range(0, len(near), batch)]
    return [found[i] for i in torch.randperm(len(found), generator=generator).tolist()]


def parts(batch: Sequence[Read]) -> Iterator[list[Read]]:
    """A batch in pieces of at most `TOKENS`, padding included; a longer text stands alone."""
    part: list[Read] = []
    for item in batch:
        longest = rounded(max(len(one.encoding) for one in [*part, item]))
        if part and longest * (len(part) + 1) > TOKENS:
            yield part
            part = []
        part.append(item)
    yield part


def rounded(length: int) -> int:
    """A length with at most a quarter more, of few that there are: PyTorch keeps memory for each it has met.

    >>> rounded(12), rounded(70), rounded(200)
    (16, 80, 224)
    """
    step = max(8, 1 << length.bit_length() >> 3)
    return -(-length // step) * step


def share(step: int, of: int) -> float:
    """The rate's factor at a step: up in the first tenth, then down to 0 (Devlin et al. 2019)."""
    warm = max(1, round(of * WARM_UP))
    return (step + 1) / warm if step < warm else max(0.0, (of - step) / max(1, of - warm))


class Training:
    """A body in training. `step()` makes one step; `state` and `restore` stop and go on."""

    def __init__(
        self, model: LanguageModel, task: Task, items: Sequence[Read], features: Features, recipe: Recipe
    ) -> None:
        self.model, self.task, self.items = model, task, items
        self.features, self.recipe = features, recipe
        self.whole_text = isinstance(task, Classes | Pairs)
        self.network = copied(model.network)
        generator = torch.Generator().manual_seed(recipe.seed)
        if recipe.rank:
            insert(self.network, recipe.rank, generator)
        d = model.config.d_model * (2 if self.whole_text and features.pool == "cls and mean" else 1)
        weight = torch.randn(len(task.labels), d, generator=generator) * 0.02
        self.head = {
            "weight": weight.requires_grad_(),
            "bias": torch.zeros(len(task.labels)).requires_grad_(),
        }
        self.lengths = [len(item.encoding) for item in items]
        self.per_epoch = math.ceil(len(items) / recipe.batch)
        self.of = self.per_epoch * recipe.epochs
        self.at = 0
        body = [p for _, p in self.network.named_parameters() if p.requires_grad]
        self.optimiser = torch.optim.AdamW(
            [
                {"params": body, "lr": recipe.rate, "top": recipe.rate},
                {"params": list(self.head.values()), "lr": recipe.head_rate, "top": recipe.head_rate},
            ],
            weight_decay=WEIGHT_DECAY,
            fused=True,
        )

    def step(self) -> float:
        """One batch; its mean loss, in nats."""
        epoch, within = divmod(self.at, self.per_epoch)
        if within == 0 or not hasattr(self, "_order"):
            self._order = order(self.lengths, self.recipe.batch, self.recipe.seed, epoch)
        batch = [self.items[i] for i in self._order[within]]
        for group in self.optimiser.param_groups:
            group["lr"] = group["top"] * share(self.at, self.of)
        rows = len(targets(self.task, batch).right)
        mean = sum(self.learn(part, rows) for part in parts(batch))
        learning = [p for group in self.optimiser.param_groups for p in group["params"]]
        nn.utils.clip_grad_norm_(learning, CUT)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.at += 1
        return mean

    def learn(self, part: Sequence[Read], of: int) -> float:
        """Add a part's share of the gradient of a batch of `of` targets; its share of the loss, in nats."""
        aim = targets(self.task, part)
        with torch.enable_grad():
            found = torch.cat(list(self.rows(part)), -2)
            scores = found @ self.head["weight"].T + self.head["bias"]
            now = loss(self.task, scores, aim) * (len(aim.right) / of)
            now.backward()
        return float(now.detach())

    def rows(self, batch: Sequence[Read]) -> Iterator[Float[Tensor, "row d"]]:
        """What the head reads of each example of a batch, by the body as it is now."""
        encodings = [item.encoding for item in batch]
        length = min(rounded(max(map(len, encodings))), self.model.config.positions)
        ids, masks = padded(encodings, self.model.tokenizer.padding, self.model.device, length)
        low = torch.autocast("cpu", torch.bfloat16) if self.recipe.bfloat16 else nullcontext()
        with low:
            last = self.network(ids, **masks).last
            last = final_norm(self.network, last)
        last = last.float()
        for row, item in enumerate(batch):
            yield rows(last[row], item, self.whole_text, self.features)

    def learnt(self) -> tuple[dict[str, Tensor], Difference]:
        """The head's parameters, and what was added to the body."""
        return self.parameters(), self.added()

    def parameters(self) -> dict[str, Tensor]:
        """The head's parameters now, copied."""
        return {name: tensor.detach().clone() for name, tensor in self.head.items()}

    def added(self) -> Difference:
        """What the body has learnt so far, copied."""
        if self.recipe.rank:
            return taken_out(self.model.network, self.network)
        return difference(self.model.network, self.network)

    def state(self) -> dict[str, Any]:
        """All that is needed to go on: tensors, numbers and names."""
        body = {n: p.detach() for n, p in self.network.named_parameters() if p.requires_grad}
        return {
            "at": self.at,
            "body": body,
            "head": {name: tensor.detach() for name, tensor in self.head.items()},
            "optimiser": self.optimiser.state_dict(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state`: the rest is as if it had never been interrupted."""
        own = dict(self.network.named_parameters())
        with torch.no_grad():
            for name, tensor in state["body"].items():
                own[name].copy_(tensor)
            for name, tensor in state["head"].items():
                self.head[name].copy_(tensor)
        self.optimiser.load_state_dict(state["optimiser"])
        self.at = state["at"]
        if self.at < self.of:
            self._order = order(self.lengths, self.recipe.batch, self.recipe.seed, self.at // self.per_epoch)


def count(network: nn.Module) -> int:
    """How many numbers of a network's blocks are trained."""
    return sum(p.numel() for n, p in network.named_parameters() if n.startswith(BLOCKS))
