"""Full fine-tuning: a copy of the network is trained with the task head, in full or in low rank.

The recipe of Devlin et al. 2019: AdamW, a rate that rises over the first tenth of the steps and then falls
linearly to 0, gradients clipped at norm 1. The embeddings are not trained.
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from explorer.errors import AbilityError
from explorer.finetuning.base_model import BLOCKS, Difference, copy_network, weight_difference
from explorer.finetuning.encoding import EncodedExample, feature_rows
from explorer.finetuning.features import Features, feature_width
from explorer.finetuning.loss import loss, targets
from explorer.finetuning.minibatches import Minibatches
from explorer.finetuning.tasks import Task
from explorer.models.base import final_norm
from explorer.models.language_model import LanguageModel
from explorer.models.padding import padded

TOKENS = 1024  # of a batch that are read at once: more would only take more memory


@dataclass(frozen=True)
class TrainingConfig:
    """How a task head is trained. `rank` 0 trains whole matrices; for a frozen model only `epochs` counts."""

    epochs: int = 5
    batch: int = 16
    rate: float = 2e-4
    head_rate: float = 2e-3
    rank: int = 0
    seed: int = 0
    bfloat16: bool = False


def sub_batches(batch: Sequence[EncodedExample]) -> Iterator[list[EncodedExample]]:
    """A batch in pieces of at most `TOKENS`, padding included; a longer text is a piece by itself."""
    piece: list[EncodedExample] = []
    for item in batch:
        longest = rounded_up(max(len(other.encoding) for other in [*piece, item]))
        if piece and longest * (len(piece) + 1) > TOKENS:
            yield piece
            piece = []
        piece.append(item)
    yield piece


def rounded_up(length: int) -> int:
    """A length plus at most a quarter, from a small set: PyTorch keeps memory for each length that it meets.

    >>> rounded_up(12), rounded_up(70), rounded_up(200)
    (16, 80, 224)
    """
    step = max(8, 1 << length.bit_length() >> 3)
    return -(-length // step) * step


class FullTraining:
    """A model in training with its task head, step by step."""

    def __init__(
        self,
        model: LanguageModel,
        task: Task,
        items: Sequence[EncodedExample],
        features: Features,
        config: TrainingConfig,
    ) -> None:
        if model.device.type != "cpu" or any(p.dtype != torch.float32 for p in model.network.parameters()):
            raise AbilityError(
                "Layers are trained as float32, on the CPU.",
                'Load the model with device="cpu" and dtype="float32".',
            )
        self.model, self.task, self.items = model, task, items
        self.features, self.config = features, config
        self.network = copy_network(model.network)
        generator = torch.Generator().manual_seed(config.seed)
        if config.rank:
            insert_low_rank(self.network, config.rank, generator)
        d = feature_width(model.config.d_model, model.config.layers + 1, features.layers)
        weight = torch.randn(len(task.labels), d, generator=generator) * 0.02
        bias = torch.zeros(len(task.labels))
        self.head = {"weight": weight.requires_grad_(), "bias": bias.requires_grad_()}
        groups = [
            {"params": [p for p in self.network.parameters() if p.requires_grad], "lr": config.rate},
            {"params": list(self.head.values()), "lr": config.head_rate},
        ]
        lengths = [len(item.encoding) for item in items]
        self.batches = Minibatches(groups, lengths, config.batch, config.epochs, config.seed)

    def step(self) -> float:
        """One batch; its mean loss, in nats."""
        return self.batches.step(self._backward)

    def _backward(self, batch: Sequence[int]) -> float:
        items = [self.items[i] for i in batch]
        count = len(targets(self.task, items).right)
        mean = 0.0
        for piece in sub_batches(items):
            aims = targets(self.task, piece)
            rows = torch.cat(list(self.rows(piece)), -2)
            scores = rows @ self.head["weight"].T + self.head["bias"]
            share = loss(self.task, scores, aims) * (len(aims.right) / count)
            share.backward()
            mean += float(share.detach())
        return mean

    def rows(self, items: Sequence[EncodedExample]) -> Iterator[Float[Tensor, "row d"]]:
        """What the head reads of each example, by the network as it is now."""
        encodings = [item.encoding for item in items]
        length = min(rounded_up(max(map(len, encodings))), self.model.config.positions)
        ids, masks = padded(encodings, self.model.tokenizer.padding, self.model.device, length)
        with torch.autocast("cpu", torch.bfloat16) if self.config.bfloat16 else nullcontext():
            states = final_norm(self.network, self.network(ids, **masks).last)
        states = states.float()
        for row, item in enumerate(items):
            yield feature_rows(states[row], item, self.task.whole_text)

    def parameters(self) -> dict[str, Tensor]:
        """The head's parameters now, copied."""
        return {name: tensor.detach().clone() for name, tensor in self.head.items()}

    def difference(self) -> Difference:
        """What training has added to the network so far, copied."""
        between = low_rank_difference if self.config.rank else weight_difference
        return between(self.model.network, self.network)


class LowRank(nn.Module):
    """A linear map W plus a change B A of low rank, which is 0 at first (Hu et al. 2021).

    Biases and norms are small and are trained in full. The difference takes a few hundred kilobytes.
    """

    def __init__(self, linear: nn.Linear, rank: int, generator: torch.Generator) -> None:
        super().__init__()
        out, d = linear.weight.shape
        self.weight, self.bias = linear.weight, linear.bias
        self.weight.requires_grad_(False)
        self.a = nn.Parameter(torch.randn(rank, d, generator=generator) / d**0.5)
        self.b = nn.Parameter(torch.zeros(out, rank))

    def forward(self, x: Float[Tensor, "*pos d"]) -> Float[Tensor, "*pos out"]:
        """W x + bias + B (A x)."""
        return F.linear(x, self.weight, self.bias) + F.linear(F.linear(x, self.a), self.b)


def insert_low_rank(network: nn.Module, rank: int, generator: torch.Generator) -> None:
    """Replace every linear map of the blocks with a LowRank."""
    for name, module in list(network.named_modules()):
        if name.startswith(BLOCKS) and isinstance(module, nn.Linear):
            parent, _, child = name.rpartition(".")
            setattr(network.get_submodule(parent), child, LowRank(module, rank, generator))


def low_rank_difference(before: nn.Module, after: nn.Module) -> Difference:
    """What training added to a network with LowRank maps: `a` and `b` of each matrix, the rest in full."""
    old = dict(before.named_parameters())
    difference: Difference = {}
    for name, parameter in after.named_parameters():
        if not name.startswith(BLOCKS) or not parameter.requires_grad:
            continue
        value = parameter.detach().clone()
        module, _, last = name.rpartition(".")
        if last in ("a", "b") and f"{module}.weight" in old:
            difference[f"{module}.weight.{last}"] = value
        else:
            difference[name] = value - old[name]
    return difference
