"""The training loop: steps until the budget is spent, with states that resume exactly."""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import torch

from explorer.models.saved_names import current_name
from training.run.base import ONE, BaseRun, Budget
from training.run.feed import Feed
from training.run.positions import lengthen
from training.run.schedule import MILESTONES, Clock, current, ramp, trapezoid
from training.run.task import Task

log = logging.getLogger("training")

CLIP = 1.0


@dataclass
class Run(BaseRun):
    """Training run of a task in a folder. A new Run on the same folder resumes from the saved state."""

    task: Task
    budget: Budget
    folder: Path
    device: torch.device
    clock: Clock = field(default_factory=Clock)
    bf16: bool = False
    save_every: float = 180.0  # wall seconds
    report_every: float = 20.0
    measure_every: float = 1200.0
    milestones: Sequence[float] = MILESTONES  # progress at which `at_milestone` is called
    at_milestone: Callable[["Run"], None] | None = None
    held_out_tokens: int = 20_000
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
        if self.saved.exists():
            self.load()

    def train(self) -> None:
        """Step until the budget is spent; report, save and measure on the way."""
        self.task.network.train()
        self.measured = time.monotonic()
        super().train()

    def _between(self, now: float) -> None:
        if now - self.measured > self.measure_every:
            self.measure()
            self.measured = time.monotonic()

    def measure(self, limit: int | None = None) -> dict[str, float]:
        """Held-out figures of the current weights; they are added to held-out.csv."""
        self.task.network.eval()
        with torch.no_grad():
            figures = self.task.held_out(limit or self.held_out_tokens)
        self.task.network.train()
        log.info("held out  %s", "  ".join(f"{k} {v:.4f}" for k, v in figures.items()))
        self._row("held-out.csv", self.place | figures)
        return figures

    def save(self) -> None:
        """Store everything that the rest of the run depends on, atomically."""
        state = {
            "network": self.task.network.state_dict(),
            "optimisers": [o.state_dict() for o in self.optimisers],
            "feed": self.feed.state(),
            "step": self.step,
            "tokens": self.tokens,
            "spent": self.clock.spent,
            "recent": self.clock.recent,
            "passed": self.passed,
            "length": self.length,
        }
        self._write(state)

    def load(self) -> None:
        """Restore the saved state."""
        state = torch.load(self.saved, map_location=self.device, weights_only=True)
        network = {current_name(name): tensor for name, tensor in state["network"].items()}
        self.task.network.load_state_dict(network)
        for optimiser, stored in zip(self.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(stored)
        self.feed.restore(state["feed"])
        self.step, self.tokens, self.passed = state["step"], state["tokens"], state["passed"]
        self.clock.spent, self.clock.recent = state["spent"], state["recent"]
        self.length = state["length"]
        log.info("resumed at step %d, %d tokens, %.0f s", self.step, self.tokens, self.clock.spent)

    def _step(self) -> int:
        progress = self.progress
        length = current(self.task.schedule.lengths, progress)
        if self.task.schedule.copy_positions and 0 < self.length < length:
            lengthen(self.task.network, self.length, length)
        self.length = max(self.length, length)
        count = max(1, ramp(progress, *self.task.schedule.batch) // length)
        rate = trapezoid(progress)
        rows = self.feed.next(count, length)
        kind = self.device.type
        with torch.autocast(kind, torch.bfloat16) if self.bf16 else nullcontext():
            loss, figures = self.task.loss(rows, self.step, progress)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.task.network.parameters(), CLIP)
        for optimiser, peaks in zip(self.optimisers, self.peaks, strict=True):
            for group, peak in zip(optimiser.param_groups, peaks, strict=True):
                group["lr"] = peak * rate
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        # Reading the figures waits for the device, so that the clock measures finished work.
        figures |= {"loss": loss.detach(), "norm": norm}
        self.figures = {name: float(value) for name, value in figures.items()}
        read: int = rows.read(length)
        self.step += 1
        self.tokens += read
        return read

    def _report(self, before: tuple[float, int]) -> None:
        seconds, tokens = self.clock.spent - before[0], self.tokens - before[1]
        if self.budget.seconds is not None:
            left = self.budget.seconds - self.clock.spent
        else:
            assert self.budget.tokens is not None, ONE
            left = (self.budget.tokens - self.tokens) * seconds / max(1, tokens)
        figures = {name: round(value, 4) for name, value in self.figures.items()}
        self._row("log.csv", self.place | figures | {"rate": round(trapezoid(self.progress), 4)})
        log.info(
            "step %d  %.2f M tokens  %s  %.0f tokens/s  %.0f min left",
            self.step,
            self.tokens / 1e6,
            "  ".join(f"{k} {v:.3f}" for k, v in figures.items()),
            tokens / max(1e-9, seconds),
            left / 60,
        )
