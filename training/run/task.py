"""What the training loop needs to know of a model, and nothing more."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from training.text.rows import SHORT


@dataclass(frozen=True)
class Recipe:
    """The sizes that change during a run.

    `lengths` are (from this progress on, tokens in a row); `batch` is the tokens of a step at
    the start and after the first tenth. BERT's alone: `masked`, the share of words to be predicted
    at the start and at the end; `short`, the share of rows that are cut short at random, so
    that short texts are read as well as long ones; `lone`, up to how many tokens a row hides every
    occurrence of a hidden content word, so that copying it from elsewhere in the row is no way out;
    `unlike`, the weight of a term that makes the content words which such a row shows unlikely where they
    are not what is hidden; and `alone`, the share of rows with one everyday sentence, where there are any.

    With `copied`, positions that longer rows reach for the first time begin as copies (see `positions`);
    `trained` says how many positions the weights that a run starts with have learnt.
    """

    lengths: tuple[tuple[float, int], ...]
    batch: tuple[int, int]
    masked: tuple[float, float] = (0.15, 0.15)
    short: float = SHORT
    lone: int = 0
    alone: float = 0.0
    unlike: float = 0.0
    copied: bool = False
    trained: int = 0


class Written(Protocol):
    """A network that becomes a checkpoint: its held-out measure and its tokenizer's files."""

    name: str
    watched: str  # the figure of a task's `loss` that the training curve shows, in nats

    @property
    def network(self) -> nn.Module:
        """What is written."""

    def held_out(self, limit: int | None) -> dict[str, float]:
        """Figures on the held-out text, on its first `limit` tokens or all."""

    def write_tokenizer(self, folder: Path) -> None:
        """The tokenizer's files, as `transformers` reads them."""


class Task(Written, Protocol):
    """A network in training: its rows, its loss, and what is written of it."""

    recipe: Recipe

    def optimisers(self) -> list[torch.optim.Optimizer]:
        """Fresh optimisers; the rate that each group starts with is its peak."""

    def rows(self, shard: int, length: int, seed: int) -> Any:
        """The rows of a shard, as `feed.Drawable`."""

    def shards(self) -> int:
        """How many shards there are."""

    def loss(self, rows: Any, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        """The loss in nats, and figures worth a column in the log. The same step draws the same."""
