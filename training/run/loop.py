"""The training loop: steps until the budget is spent, with states that resume exactly."""

import csv
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn

from explorer.models.saved_names import current_name
from training.run.feed import Feed
from training.run.schedule import MILESTONES, Clock, current, ramp, trapezoid
from training.run.task import Task

log = logging.getLogger("training")

CLIP = 1.0


@dataclass(frozen=True)
class Budget:
    """How long to train, in tokens or, without their number, in seconds of training."""

    seconds: float = 0.0
    tokens: int | None = None

    def progress(self, seconds: float, tokens: int) -> float:
        """Share of the budget that is used, 0 to 1 and beyond."""
        return tokens / self.tokens if self.tokens else seconds / self.seconds


@dataclass
class Run:
    """Training run of a task in a folder. A new Run on the same folder resumes from the saved state."""

    task: Task
    budget: Budget
    folder: Path
    device: torch.device
    clock: Clock = field(default_factory=Clock)
    bf16: bool = False
    save_every: float = 180.0  # wall seconds
    report_every: float = 20.0
    milestones: Sequence[float] = MILESTONES  # progress at which `at_milestone` is called
    at_milestone: Callable[["Run"], None] | None = None
    seed: int = 0
    rate: float = 1.0  # factor of the task's learning rates
    step: int = 0
    tokens: int = 0
    passed: int = 0  # number of milestones behind

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.task.network.to(self.device)
        self.feed = Feed(self.task.rows, self.task.shards(), self.device, self.seed)
        self.optimisers = self.task.optimisers()
        self.peaks = [[self.rate * group["lr"] for group in o.param_groups] for o in self.optimisers]
        self.figures: dict[str, float] = {}
        self.length = self.task.schedule.trained  # longest row so far
        self.saved = self.folder / "run.pt"
        if self.saved.exists():
            self.load()

    @property
    def progress(self) -> float:
        """Share of the budget that is used."""
        return self.budget.progress(self.clock.spent, self.tokens)

    @property
    def place(self) -> dict[str, float]:
        """Steps, tokens and seconds so far, as in the logs."""
        return {"steps": self.step, "tokens": self.tokens, "seconds": round(self.clock.spent, 1)}

    def train(self) -> None:
        """Step until the budget is spent; report and save on the way."""
        self.task.network.train()
        saved = reported = time.monotonic()
        before = (self.clock.spent, self.tokens)
        self._check_milestone()
        while self.progress < 1:
            self.clock.time(self._step)
            self._check_milestone()
            now = time.monotonic()
            if now - reported > self.report_every:
                self._report(*before)
                reported, before = now, (self.clock.spent, self.tokens)
            if now - saved > self.save_every:
                self.save()
                saved = now
        self.save()

    def save(self) -> None:
        """Store everything that the rest of the run depends on, atomically."""
        state = {
            "network": self.task.network.state_dict(),
            "optimisers": [o.state_dict() for o in self.optimisers],
            "feed": self.feed.state(),
            "step": self.step,
            "tokens": self.tokens,
            "spent": self.clock.spent,
            "passed": self.passed,
            "length": self.length,
        }
        partial = self.saved.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(self.saved)

    def load(self) -> None:
        """Restore the saved state."""
        state = torch.load(self.saved, map_location=self.device, weights_only=True)
        network = {current_name(name): tensor for name, tensor in state["network"].items()}
        self.task.network.load_state_dict(network)
        for optimiser, stored in zip(self.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(stored)
        self.feed.restore(state["feed"])
        self.step, self.tokens, self.passed = state["step"], state["tokens"], state["passed"]
        self.clock.spent, self.length = state["spent"], state["length"]
        log.info("resumed at step %d, %d tokens, %.0f s", self.step, self.tokens, self.clock.spent)

    def _check_milestone(self) -> None:
        """Call `at_milestone` if one has passed, and save, so that a resumed run does not call it again."""
        passed = sum(self.progress >= milestone for milestone in self.milestones)
        if passed > self.passed:
            self.passed = passed
            if self.at_milestone is not None:
                self.at_milestone(self)
                self.save()

    def _step(self) -> None:
        progress = self.progress
        length = current(self.task.schedule.lengths, progress)
        if self.task.schedule.copy_positions and 0 < self.length < length:
            lengthen(self.task.network, self.length, length)
        self.length = max(self.length, length)
        count = max(1, ramp(progress, *self.task.schedule.batch) // length)
        rows = self.feed.next(count, length)
        with torch.autocast(self.device.type, torch.bfloat16) if self.bf16 else nullcontext():
            loss, figures = self.task.loss(rows, self.step, progress)
        if loss.requires_grad:
            figures["norm"] = self._descend(loss, trapezoid(progress))
        # Reading the figures waits for the device, so that the clock measures finished work.
        figures["loss"] = loss.detach()
        self.figures = {name: float(value) for name, value in figures.items()}
        self.step += 1
        self.tokens += rows.read(length)

    def _descend(self, loss: Tensor, rate: float) -> Tensor:
        """Change the weights by the loss's gradient, and return the norm of the gradient."""
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.task.network.parameters(), CLIP)
        for optimiser, peaks in zip(self.optimisers, self.peaks, strict=True):
            for group, peak in zip(optimiser.param_groups, peaks, strict=True):
                group["lr"] = peak * rate
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        return norm

    def _report(self, seconds_before: float, tokens_before: int) -> None:
        """Add a row to log.csv, and log the figures, the speed since then and the time that is left."""
        figures = {name: round(value, 4) for name, value in self.figures.items()}
        row = self.place | figures | {"rate": round(trapezoid(self.progress), 4)}
        path = self.folder / "log.csv"
        fresh = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(row))
            if fresh:
                writer.writeheader()
            writer.writerow(row)
        speed = (self.tokens - tokens_before) / max(1e-9, self.clock.spent - seconds_before)
        log.info(
            "step %d  %.2f M tokens  %s  %.0f tokens/s  %.0f min left",
            self.step,
            self.tokens / 1e6,
            "  ".join(f"{k} {v:.3f}" for k, v in figures.items()),
            speed,
            self.clock.spent * (1 / self.progress - 1) / 60,
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
