"""What changes during a run, as functions of progress (0 at the start, 1 at the end), and the clock.

Progress is training time spent (or tokens read) over the budget. Both live in the run's
checkpoint, so a run that was killed and resumed follows the schedule of one that was not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter

WARM_UP, DECAY = 0.02, 0.4

# Progress at which a run's weights are put aside for its record: twice as far each time, since most
# is learned early.
MOMENTS = (0.0, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)


def trapezoid(progress: float, warm_up: float = WARM_UP, decay: float = DECAY) -> float:
    """The learning rate's factor: up to 1 in the first 2 %, flat, then linear to 0 in the last 40 %.

    Hägele et al. 2024, "Scaling Laws and Compute-Optimal Training Beyond Fixed Training Durations".
    """
    rising = (progress + 1e-3) / (warm_up + 1e-3) if progress < warm_up else 1.0
    return max(0.0, min(1.0, rising, (1.0 - progress) / decay))


def ramp(progress: float, start: int, end: int, until: float = 0.1) -> int:
    """The batch in tokens: small while the gradient is large and simple, then `end`."""
    return round(start + (end - start) * min(1.0, progress / until))


def current(steps: Sequence[tuple[float, int]], progress: float) -> int:
    """The value of the last step whose starting progress has been reached."""
    return [value for since, value in steps if progress >= since][-1]


@dataclass
class Clock:
    """Seconds of training, in which a suspended process does not grow older.

    A step never counts for more than `LIMIT` times the recent median time per token, so a
    pause (SIGSTOP, a laptop's sleep) leaves the schedule where it was.
    """

    read: Callable[[], float] = perf_counter
    spent: float = 0.0
    recent: list[float] = field(default_factory=list)

    LIMIT = 4.0
    MEMORY = 31

    def time(self, step: Callable[[], int]) -> None:
        """Run one step, which gives the tokens it read, and add the time it took."""
        start = self.read()
        tokens = step()
        taken = (self.read() - start) / tokens
        if len(self.recent) >= 5:
            taken = min(taken, self.LIMIT * median(self.recent))
        self.recent = [*self.recent, taken][-self.MEMORY :]
        self.spent += taken * tokens
