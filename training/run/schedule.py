"""Sizes and rates as functions of a run's progress (0 at the start, 1 at the end), and the clock.

Progress is training time spent (or tokens read) over the budget. Both are stored with the run, so a
resumed run follows the schedule of an uninterrupted one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from training.text.rows import SHORT

WARM_UP, DECAY = 0.02, 0.4

# Progress at which a run's weights are stored for its record: twice as far each time, since most is
# learnt early.
MILESTONES = (0.0, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
# Progress at which a translator's weights are stored for their mean.
LAST = (0.9, 0.92, 0.94, 0.96, 0.98, 1.0)


@dataclass(frozen=True)
class Schedule:
    """Sizes that change during a run.

    `lengths` are pairs (progress, tokens of a row from there on); `batch` is the tokens of a step at the
    start and after the first tenth. BERT and ELECTRA alone: `masked`, the share of words to be predicted at
    the start and at the end, and `short`, the share of rows cut short at random, so that short texts are
    read as well. BERT alone: in rows of up to `hide_repeats` tokens every occurrence of a hidden content
    word is hidden, so that it cannot be copied.

    With `copy_positions`, positions that longer rows reach for the first time begin as copies (see
    `loop.lengthen`); `trained` is the number of positions that the starting weights have learnt.
    """

    lengths: tuple[tuple[float, int], ...]
    batch: tuple[int, int]
    masked: tuple[float, float] = (0.15, 0.15)
    short: float = SHORT
    hide_repeats: int = 0
    copy_positions: bool = False
    trained: int = 0


def trapezoid(progress: float, warm_up: float = WARM_UP, decay: float = DECAY) -> float:
    """Factor of the learning rate: up to 1 in the first 2 %, flat, then linear to 0 in the last 40 %.

    Hägele et al. 2024, "Scaling Laws and Compute-Optimal Training Beyond Fixed Training Durations".
    """
    rising = (progress + 1e-3) / (warm_up + 1e-3) if progress < warm_up else 1.0
    return max(0.0, min(1.0, rising, (1.0 - progress) / decay))


def ramp(progress: float, start: int, end: int, until: float = 0.1) -> int:
    """Tokens of a step: `start` grows to `end` while the gradient is large and simple."""
    return round(start + (end - start) * min(1.0, progress / until))


def current(steps: Sequence[tuple[float, int]], progress: float) -> int:
    """Value of the last step whose starting progress has been reached."""
    return [value for since, value in steps if progress >= since][-1]


@dataclass
class Clock:
    """Seconds of training so far."""

    read: Callable[[], float] = perf_counter
    spent: float = 0.0

    def time(self, step: Callable[[], None]) -> None:
        """Run one step, and add its time."""
        start = self.read()
        step()
        self.spent += self.read() - start
