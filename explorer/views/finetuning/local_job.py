"""A short training on a frozen model in the server itself, as starting a process would take longer.

It has the attributes of `explorer.finetuning.jobs.Job`.
"""

from typing import TYPE_CHECKING

from explorer.errors import ExplorerError
from explorer.server.growing import Growing
from explorer.views.types import HeadSpec, LanguageModel, MapPoint, Progress, TaskHead

if TYPE_CHECKING:
    from explorer.finetuning.jobs import State

MOST_EXAMPLES = 250
MOST_SECONDS = 0.15  # of training at a time, so that other visitors are served in between
WATCHED_STEPS = 15  # the first ones, shown one by one: most is learnt in them


class LocalJob(Growing["Progress"]):
    """A training that goes on with each call of `advance`. Raises ExplorerError for unsuitable examples."""

    place = 0

    def __init__(self, spec: "HeadSpec", model: "LanguageModel") -> None:
        self._fit = spec.run(model)
        super().__init__(spec, self._fit, MOST_SECONDS)
        self.watched: list[MapPoint] = self._fit.watched
        self.records = self.done
        self.state: State = "running"
        self.error: ExplorerError | None = None

    @property
    def over(self) -> bool:
        """Whether no more records will come."""
        return self.state in ("done", "stopped", "failed")

    @property
    def finished(self) -> bool:
        """Whether no more records will come."""
        return self.over

    def advance(self) -> None:
        """Train for MOST_SECONDS, one step at least."""
        try:
            self.extend(MOST_SECONDS)
        except ExplorerError as error:
            self.error, self.state = error, "failed"
        except Exception as error:
            ended_by = f"The training was ended by an error of Riverbank’s ({type(error).__name__})."
            self.error, self.state = ExplorerError(ended_by, "Try again."), "failed"

    def pauses(self, step: "Progress") -> bool:
        """Whether a record is drawn before the next one comes."""
        if step.stage == "done":
            self.state = "done"
        return step.stage == "training" and step.step <= WATCHED_STEPS

    def stop(self) -> None:
        """End it. Its best head so far stays."""
        with self._lock:  # the visitor may leave meanwhile, see trainings.py
            if not self.over:
                self._fit.close()
                self.state = "stopped"

    def head(self, model: "LanguageModel") -> "TaskHead | None":
        """The best head so far."""
        return self._fit.head
