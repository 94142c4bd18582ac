"""What the training loop needs to know of a model."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer as Backend
from torch import Tensor, nn

from training.run.schedule import MILESTONES, Schedule


class Exportable(ABC):
    """A network that becomes a checkpoint: its held-out measure and its tokenizer's files."""

    name: str
    curve_figure: str  # the figure of `Task.loss` that the training curve shows, in nats
    network: Any

    @abstractmethod
    def held_out(self, limit: int | None) -> dict[str, float]:
        """Figures on the first `limit` tokens of the held-out text, or on all of it."""

    @abstractmethod
    def write_tokenizer(self, folder: Path) -> None:
        """Write the tokenizer's files as `transformers` reads them."""


class Task(Exportable):
    """A network in training: its rows, its loss, and the checkpoints that it becomes."""

    schedule: Schedule
    _shards: Any = (None,)  # of the training text
    milestones: Sequence[float] = MILESTONES  # progress at which weights are stored, for record or mean
    continues_record = True  # of the checkpoint that it starts from
    on_cpu = False  # always, since its steps are too small for a GPU or bfloat16

    @abstractmethod
    def optimisers(self) -> list[torch.optim.Optimizer]:
        """New optimisers; the rate that each group starts with is its peak."""

    @abstractmethod
    def rows(self, shard: int, length: int, seed: int) -> Any:
        """Rows of a shard, with a length, `take(numbers)` and `to(device)`, as `text.rows.Rows`."""

    def shards(self) -> int:
        """Number of shards."""
        return len(self._shards)

    @abstractmethod
    def loss(self, rows: Any, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        """Loss in nats, and figures for the log. The same step draws the same random numbers.

        A task without optimisers changes its weights here, and its loss has no gradient.
        """

    def checkpoints(self) -> Sequence[Exportable]:
        """Checkpoints that the task becomes, with the weights as they are now."""
        return [self]

    def after_export(self, folder: Path) -> None:  # most tasks have nothing to write
        """Write further files beside an exported checkpoint."""


def stored_tokenizer(path: Path, train: Callable[[], Backend]) -> Backend:
    """Tokenizer in a file of the run's folder; trained and stored if there is none."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        train().save(str(path))
    return Backend.from_file(str(path))


def write_settings(folder: Path, **settings: Any) -> None:
    """Write tokenizer_config.json."""
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


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
