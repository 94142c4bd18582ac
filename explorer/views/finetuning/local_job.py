"""A short training on a frozen model in the server itself, as starting a process would take longer.

It has the attributes of `explorer.finetuning.jobs.Job`.
"""

from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

from explorer.errors import ExplorerError
from explorer.views.types import HeadSpec, LanguageModel, MapPoint, Progress, TaskHead

if TYPE_CHECKING:
    from explorer.finetuning.jobs import State

MOST_EXAMPLES = 250
MOST_SECONDS = 0.15  # of training at a time, so that other visitors are served in between
WATCHED_STEPS = 15  # the first ones, shown one by one: most is learnt in them


class LocalJob:
    """A training that goes on with each call of `advance`. Raises ExplorerError for unsuitable examples."""

    place = 0

    def __init__(self, spec: "HeadSpec", model: "LanguageModel") -> None:
        self.lock = Lock()  # the visitor may leave meanwhile, see trainings.py
        self._fit = spec.run(model)
        self.watched: list[MapPoint] = self._fit.watched
        self.records: list[Progress] = []
        self.state: State = "running"
        self.error: ExplorerError | None = None

    @property
    def over(self) -> bool:
        """Whether no more records will come."""
        return self.state in ("done", "stopped", "failed")

    def advance(self) -> None:
        """Train for MOST_SECONDS, one step at least."""
        with self.lock:
            self._advance(perf_counter() + MOST_SECONDS)

    def _advance(self, end: float) -> None:
        while not self.over:
            try:
                self.records.append(next(self._fit))
            except ExplorerError as error:
                self.error, self.state = error, "failed"
                return
            except Exception as error:
                ended_by = f"The training was ended by an error of Riverbank’s ({type(error).__name__})."
                self.error, self.state = ExplorerError(ended_by, "Try again."), "failed"
                return
            if self.records[-1].stage == "done":
                self.state = "done"
            watched = self.records[-1].stage == "training" and self.records[-1].step <= WATCHED_STEPS
            if watched or perf_counter() >= end:
                return

    def stop(self) -> None:
        """End it. Its best head so far stays."""
        with self.lock:
            if not self.over:
                self._fit.close()
                self.state = "stopped"

    def head(self, model: "LanguageModel") -> "TaskHead | None":
        """The best head so far."""
        return self._fit.head
