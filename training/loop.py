"""The training loop, the same for every recipe: steps until a budget of tokens or seconds is spent."""

import itertools
import logging
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from explorer.assets import CHECKPOINTS
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from training.text import Corpus

log = logging.getLogger("training")

CLIP = 1.0  # norm of the gradient
REPORT_EVERY = 20.0  # seconds of training
WARM_UP, DECAY = 0.02, 0.4  # shares of a run

# Progress at which a run is measured for its record: twice as far each time, since most is learnt early.
MILESTONES = (0.0, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)


@dataclass(frozen=True)
class Schedule:
    """Sizes that change with a run's progress (0 at the start, 1 at the end).

    `lengths` are pairs (progress, tokens of a row from there on); `batch` is the tokens of a step at the
    start and after the first tenth. BERT and ELECTRA alone: `masked`, the share of words to be predicted at
    the start and at the end, and `short`, the share of rows cut short at random, so that short texts are
    read as well. BERT alone: in rows of up to `hide_repeats` tokens every occurrence of a hidden content
    word is hidden, so that it cannot be copied.

    With `copy_positions`, positions that longer rows reach for the first time begin as copies (see
    `lengthen`); `trained` is the number of positions that the starting weights have learnt.
    """

    lengths: tuple[tuple[float, int], ...]
    batch: tuple[int, int]
    masked: tuple[float, float] = (0.15, 0.15)
    short: float = 0.1
    hide_repeats: int = 0
    copy_positions: bool = False
    trained: int = 0


def trapezoid(progress: float) -> float:
    """Factor of the learning rate: up to 1 in the first 2 %, flat, then linear to 0 in the last 40 %.

    Hägele et al. 2024, "Scaling Laws and Compute-Optimal Training Beyond Fixed Training Durations".
    """
    rising = (progress + 1e-3) / (WARM_UP + 1e-3) if progress < WARM_UP else 1.0
    return max(0.0, min(1.0, rising, (1.0 - progress) / DECAY))


def ramp(progress: float, start: int, end: int, until: float = 0.1) -> int:
    """Tokens of a step: `start` grows to `end` while the gradient is large and simple."""
    return round(start + (end - start) * min(1.0, progress / until))


def current(steps: Sequence[tuple[float, int]], progress: float) -> int:
    """Value of the last step whose starting progress has been reached."""
    return [value for since, value in steps if progress >= since][-1]


class Task(ABC):
    """What a recipe says of a model: its network, rows, loss, optimisers, and what it becomes.

    `networks` are the checkpoints that it becomes, by the end of their folder's name, and `curves` the figure
    of `loss` that each one's training curve shows, in nats.
    """

    name: str
    network: Any
    schedule: Schedule
    curves: ClassVar[Mapping[str, str]]

    @abstractmethod
    def optimisers(self) -> list[torch.optim.Optimizer]:
        """New optimisers; the rate that each group starts with is its peak."""

    @abstractmethod
    def shards(self) -> int:
        """Number of shards of the training text."""

    @abstractmethod
    def rows(self, shard: int, length: int, seed: int) -> Any:
        """Rows of a shard, with a number of rows and `take(numbers)`, as `rows.Rows`."""

    @abstractmethod
    def loss(self, rows: Any, step: int, progress: float) -> tuple[Tensor, dict[str, Tensor]]:
        """Loss in nats, and figures for the log. The same step draws the same random numbers.

        A task without optimisers changes its weights here, and its loss has no gradient.
        """

    @abstractmethod
    def write_tokenizer(self, folder: Path) -> None:
        """Write the tokenizer's files as `transformers` reads them."""

    def write_settings(self, folder: Path) -> None:
        """Write tokenizer_config.json, which is that of the bundled checkpoint."""
        name = self.name + next(iter(self.curves))
        shutil.copy(CHECKPOINTS / name / "tokenizer_config.json", folder)

    def networks(self) -> dict[str, nn.Module]:
        """Networks that are exported, with the weights as they are now; most tasks have one."""
        return {"": self.network}

    def held_out(self, model: LanguageModel, corpus: Corpus | None, limit: int | None) -> dict[str, float]:
        """Figures of one of the exported networks on the first `limit` tokens of the held-out text."""
        return {}

    def after_step(self, progress: float) -> None:  # noqa: B027  # most tasks have nothing to do
        """What a recipe does with the weights after a step."""

    def after_export(self, folder: Path) -> None:  # noqa: B027
        """Write further files beside an exported checkpoint."""


def feed(task: Task, seed: int = 0) -> Generator[Any, tuple[int, int], None]:
    """Rows of one shard after another: send a number of rows and their length, and receive them.

    Every epoch has its own order of shards and of rows. The last few rows of a shard may be fewer; another
    length begins with the next shard. Raises TextError if the text is too short for a row.
    """
    count = 0
    request = yield None
    for epoch in itertools.count():
        before = count
        for shard in np.random.default_rng([seed, epoch]).permutation(task.shards()).tolist():
            length, place, number = request[1], 0, seed + 1000 * epoch + shard
            rows = task.rows(shard, length, number)
            order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(number))
            while place < len(order) and request[1] == length:
                chosen = order[place : place + request[0]]
                place, count = place + len(chosen), count + len(chosen)
                request = yield rows.take(chosen)
        if count == before:
            raise TextError("The text is too short for a single row.", "Give more of it.")


@dataclass
class Run:
    """Training run of a task, for a number of tokens or, without one, of seconds of training.

    `rate` is a factor of the task's learning rates. `at_milestone` is called at each of `MILESTONES`.
    """

    task: Task
    tokens_budget: int | None = None
    seconds_budget: float = 3600.0
    bf16: bool = False
    seed: int = 0
    rate: float = 1.0
    at_milestone: Callable[["Run"], None] | None = None
    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    log: list[dict[str, float]] = field(default_factory=list)  # tokens and figures of every report

    @property
    def progress(self) -> float:
        """Share of the budget that is used, 0 to 1 and beyond."""
        if self.tokens_budget:
            return self.tokens / self.tokens_budget
        return self.seconds / self.seconds_budget

    @property
    def place(self) -> dict[str, float]:
        """Steps, tokens and seconds so far."""
        return {"steps": self.step, "tokens": self.tokens, "seconds": round(self.seconds, 1)}

    def train(self, report_every: float = REPORT_EVERY) -> None:
        """Step until the budget is spent; report and measure on the way."""
        rows, optimisers = feed(self.task, self.seed), self.task.optimisers()
        next(rows)
        for group in (group for optimiser in optimisers for group in optimiser.param_groups):
            group["peak"] = self.rate * group["lr"]
        length, passed, reported = self.task.schedule.trained, 0, 0.0
        while True:
            if (now := sum(self.progress >= milestone for milestone in MILESTONES)) > passed:
                passed = now
                if self.at_milestone is not None:
                    self.at_milestone(self)
            if self.progress >= 1:
                return
            start = perf_counter()
            length, figures = self._step(rows, optimisers, length)
            self.seconds += perf_counter() - start
            self.task.after_step(self.progress)
            if self.seconds - reported >= report_every:
                reported = self.seconds
                self._report(figures)

    def _step(
        self,
        source: Generator[Any, tuple[int, int], None],
        optimisers: Sequence[torch.optim.Optimizer],
        longest: int,
    ) -> tuple[int, dict[str, Tensor]]:
        """Take one step; returns the longest row so far, and the step's figures."""
        progress, schedule = self.progress, self.task.schedule
        length = current(schedule.lengths, progress)
        if schedule.copy_positions and 0 < longest < length:
            lengthen(self.task.network, longest, length)
        rows = source.send((max(1, ramp(progress, *schedule.batch) // length), length))
        with torch.autocast("cpu", torch.bfloat16) if self.bf16 else nullcontext():
            loss, figures = self.task.loss(rows, self.step, progress)
        if loss.requires_grad:
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.task.network.parameters(), CLIP)
            for optimiser in optimisers:
                for group in optimiser.param_groups:
                    group["lr"] = group["peak"] * trapezoid(progress)
                optimiser.step()
                optimiser.zero_grad()
        self.step += 1
        self.tokens += rows.read(length)
        return max(longest, length), figures | {"loss": loss.detach()}

    def _report(self, figures: Mapping[str, Tensor]) -> None:
        row = {name: round(float(value), 4) for name, value in figures.items()}
        self.log.append({"tokens": self.tokens} | row)
        figures_text = "  ".join(f"{name} {value:.3f}" for name, value in row.items())
        left = self.seconds * (1 / self.progress - 1) / 60
        log.info(
            "step %d  %.2f M tokens  %s  %.0f min left", self.step, self.tokens / 1e6, figures_text, left
        )


def lengthen(network: nn.Module, trained: int, length: int) -> None:
    """Copy the first `trained` position embeddings repeatedly to the positions up to `length`.

    A position is untrained until rows reach it, and near the end of a run the rate is too low to learn it
    from random weights. A copy already knows about neighbouring positions.

    >>> network = nn.Module()
    >>> network.positions = nn.Embedding(6, 1)
    >>> network.positions.weight.data = torch.arange(6.0)[:, None]
    >>> lengthen(network, trained=2, length=5)
    >>> network.positions.weight.flatten().tolist()
    [0.0, 1.0, 0.0, 1.0, 0.0, 5.0]
    """
    for module in network.modules():
        table = getattr(module, "positions", None)
        if isinstance(table, nn.Embedding):
            with torch.no_grad():
                for place in range(trained, min(length, table.num_embeddings)):
                    table.weight[place] = table.weight[place % trained]
