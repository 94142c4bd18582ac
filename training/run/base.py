"""A training run around its steps: budget, milestones, reports, and a state to resume from."""

import csv
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from training.run.schedule import MILESTONES, Clock

ONE = "a budget has seconds or tokens"


@dataclass(frozen=True)
class Budget:
    """How long to train, in seconds of training or in tokens; the other is None."""

    seconds: float | None = None
    tokens: int | None = None

    def progress(self, seconds: float, tokens: int) -> float:
        """Share of the budget that is used, 0 to 1 and beyond."""
        if self.seconds is not None:
            return seconds / self.seconds
        assert self.tokens is not None, ONE
        return tokens / self.tokens


class BaseRun:
    """A run in a folder, with steps of a subclass until its budget is spent.

    A new run on the same folder resumes from the saved state.
    """

    budget: Budget
    folder: Path
    clock: Clock
    milestones: Sequence[float] = MILESTONES  # progress at which `at_milestone` is called
    at_milestone: Callable[[Any], None] | None
    save_every: float  # wall seconds
    report_every: float
    step: int
    tokens: int
    passed: int  # number of milestones behind

    @abstractmethod
    def _step(self) -> int:
        """Take one step and return the tokens read."""

    @abstractmethod
    def _report(self, before: tuple[float, int]) -> None:
        """Log figures, and the speed since `before` (seconds of training, tokens)."""

    @abstractmethod
    def save(self) -> None:
        """Store everything that the rest of the run depends on."""

    @property
    def saved(self) -> Path:
        """File of the state to resume from."""
        return self.folder / "run.pt"

    @property
    def progress(self) -> float:
        """Share of the budget that is used."""
        return self.budget.progress(self.clock.spent, self.tokens)

    @property
    def place(self) -> dict[str, float]:
        """Steps, tokens and seconds so far, as in the logs."""
        return {"step": self.step, "tokens": self.tokens, "seconds": round(self.clock.spent, 1)}

    def train(self) -> None:
        """Step until the budget is spent; report and save on the way."""
        saved = reported = time.monotonic()
        before = (self.clock.spent, self.tokens)
        self._check_milestone()
        while self.progress < 1:
            self.clock.time(self._step)
            self._check_milestone()
            now = time.monotonic()
            if now - reported > self.report_every:
                self._report(before)
                reported, before = now, (self.clock.spent, self.tokens)
            if now - saved > self.save_every:
                self.save()
                saved = now
            self._between(now)
        self.save()

    def _between(self, now: float) -> None:
        """Do other work between two steps."""

    def _check_milestone(self) -> None:
        """Call `at_milestone` if one has passed, and save, so that a resumed run does not call it again."""
        passed = sum(self.progress >= milestone for milestone in self.milestones)
        if passed > self.passed:
            self.passed = passed
            if self.at_milestone is not None:
                self.at_milestone(self)
                self.save()

    def _write(self, state: dict[str, Any]) -> None:
        """Write the state to resume from, atomically."""
        partial = self.saved.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(self.saved)

    def _row(self, name: str, row: dict[str, float]) -> None:
        """Append a line to a table in the run's folder."""
        path = self.folder / name
        fresh = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(row))
            if fresh:
                writer.writeheader()
            writer.writerow(row)
