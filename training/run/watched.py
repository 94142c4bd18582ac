"""What every training run does around its steps: the budget, moments, reports, and a state to resume from."""

import csv
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from training.run.schedule import MOMENTS, Clock

ONE = "a budget names seconds or tokens"


@dataclass(frozen=True)
class Budget:
    """How long to train: seconds of training, or tokens; the unused one is None."""

    seconds: float | None = None
    tokens: int | None = None

    def progress(self, seconds: float, tokens: int) -> float:
        """How much of the budget is used, 0 to 1 and beyond."""
        if self.seconds is not None:
            return seconds / self.seconds
        assert self.tokens is not None, ONE
        return tokens / self.tokens


class Watched:
    """A run in a folder that steps until its budget is spent; what a step is, its own class says.

    A new one on the same folder goes on where the last was saved.
    """

    budget: Budget
    folder: Path
    clock: Clock
    moments: Sequence[float] = MOMENTS  # progress at which `look` is called
    look: Callable[[Any], None] | None
    save_every: float  # wall seconds
    report_every: float
    step: int
    tokens: int
    seen: int  # how many of the moments have passed

    @abstractmethod
    def _step(self) -> int:
        """Learn once; gives the tokens read."""

    @abstractmethod
    def _report(self, before: tuple[float, int]) -> None:
        """Tell how it goes, and how fast it went since `before`: seconds of training and tokens."""

    @abstractmethod
    def save(self) -> None:
        """Keep everything that the rest of the run depends on."""

    @property
    def saved(self) -> Path:
        """The state to resume from."""
        return self.folder / "run.pt"

    @property
    def progress(self) -> float:
        """How much of the budget is used."""
        return self.budget.progress(self.clock.spent, self.tokens)

    @property
    def place(self) -> dict[str, float]:
        """Where the run is, as its logs say it."""
        return {"step": self.step, "tokens": self.tokens, "seconds": round(self.clock.spent, 1)}

    def train(self) -> None:
        """Step until the budget is spent; report and save on the way."""
        saved = reported = time.monotonic()
        before = (self.clock.spent, self.tokens)
        self._look()
        while self.progress < 1:
            self.clock.time(self._step)
            self._look()
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
        """What else is due between two steps."""

    def _look(self) -> None:
        """Whether a moment has passed; saved at once, so that a resumed run does not look twice."""
        passed = sum(self.progress >= moment for moment in self.moments)
        if passed > self.seen:
            self.seen = passed
            if self.look is not None:
                self.look(self)
                self.save()

    def _write(self, state: dict[str, Any]) -> None:
        """The state to resume from, in one atomic step."""
        partial = self.saved.with_suffix(".partial")
        torch.save(state, partial)
        partial.replace(self.saved)

    def _row(self, name: str, row: dict[str, float]) -> None:
        """One line more in a table of the run's folder."""
        path = self.folder / name
        fresh = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(row))
            if fresh:
                writer.writeheader()
            writer.writerow(row)
