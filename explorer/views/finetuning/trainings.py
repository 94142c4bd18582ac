"""A visitor's trainings. They live in the session, and their jobs in the server's queue.

So they go on through reruns of the page, on other pages, and beside those of other visitors. Trainings are
found by their specification: two that are equal would give the same result.
"""

import os
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from explorer.errors import ExplorerError
from explorer.locale import N_, _
from explorer.server import visitors
from explorer.server.growing import Growing
from explorer.server.session import Session
from explorer.views.types import (
    HeadSpec,
    Job,
    LanguageModel,
    MapPoint,
    Progress,
    TaskHead,
    Tensor,
    TrainingSpec,
)

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

    finished = over

    def advance(self) -> None:
        """Train for MOST_SECONDS, one step at least."""
        try:
            self.extend(MOST_SECONDS)
        except ExplorerError as error:
            self.error, self.state = error, "failed"
        except Exception as error:
            text = N_("The training was ended by an error of Riverbank’s ({error}).")
            ended_by = _(text, error=type(error).__name__)
            self.error, self.state = ExplorerError(ended_by, _("Try again.")), "failed"

    def pauses(self, step: "Progress") -> bool:
        """Whether a record is drawn before the next one comes."""
        if step.stage == "done":
            self.state = "done"
        return step.stage == "training" and step.step <= WATCHED_STEPS

    def stop(self) -> None:
        """End it. Its best head so far stays."""
        with self.lock:  # the visitor may leave meanwhile, see trainings.py
            if not self.over:
                self._fit.close()
                self.state = "stopped"

    def head(self, model: "LanguageModel") -> "TaskHead | None":
        """The best head so far."""
        return self._fit.head


MOST = 6  # trainings of one type in a session; a trained model takes memory
MOST_WAITING = 3  # in the queue that all visitors share
TRAININGS = Session["dict[TrainingSpec, Training]"]("finetuning/trainings", {})
_numbers = count()


@dataclass(eq=False)
class Training:
    """One training: of its job's records, the first `taken_over` are drawn, after so many `updates`."""

    job: "Job | LocalJob"
    taken_over: int = 0
    updates: int = 0
    number: int = field(default_factory=lambda: next(_numbers), init=False)

    @property
    def records(self) -> list[Any]:
        """What is drawn."""
        return self.job.records[: self.taken_over]

    @property
    def going(self) -> bool:
        """Whether there is more to draw."""
        return not self.job.over or self.taken_over < len(self.job.records)

    @property
    def last(self) -> Any:
        """The last record that is drawn; None before the first."""
        return self.job.records[self.taken_over - 1] if self.taken_over else None

    @property
    def position(self) -> tuple[int, int]:
        """(steps so far, steps in all)."""
        return (self.last["step"], self.last["of"]) if self.last else (0, 1)

    def update(self, model: "LanguageModel") -> bool:
        """Take over what the job has recorded since; whether the training ends with it."""
        if not self.going:
            return False
        self._take_over()
        return not self.going

    def _take_over(self) -> list[Any]:
        self.updates += 1
        records = self.job.records[self.taken_over :]
        self.taken_over += len(records)
        return records


@dataclass(eq=False)
class HeadTraining(Training):
    """The training of a head; its records are `Progress`.

    `maps` are projections of its watched vectors; `probabilities` what the head on frozen layers gave each of
    them after each update, (point, label).
    """

    maps: "list[Tensor]" = field(default_factory=list)
    probabilities: "list[Tensor]" = field(default_factory=list)
    vectors: "Tensor | None" = None
    head: "TaskHead | None" = None

    @property
    def position(self) -> tuple[int, int]:
        """(steps so far, steps in all)."""
        return (self.last.step, self.last.of) if self.last else (0, 1)

    @property
    def steps(self) -> "list[Progress]":
        """The records of training steps."""
        return [record for record in self.records if record.stage == "training"]

    @property
    def losses(self) -> list[tuple[int, float]]:
        """(step, loss in nats) of each step."""
        return [(record.step, record.loss) for record in self.steps if record.loss is not None]

    @property
    def scores(self) -> list[tuple[int, float]]:
        """(step, main score on the held-out examples) of each evaluation."""
        return [(record.step, next(iter(record.scores.values()))) for record in self.steps if record.scores]

    def update(self, model: "LanguageModel") -> bool:
        """Take over what the job has recorded since; whether the head has come with it."""
        from explorer.finetuning.progress import project_aligned
        from explorer.finetuning.task_head import logits

        if isinstance(self.job, LocalJob):
            self.job.advance()
        for record in self._take_over():
            if record.stage == "training" and record.vectors is not None:
                self.vectors = record.vectors
                self.maps.append(project_aligned(record.vectors, self.maps[-1] if self.maps else None))
        if isinstance(self.job, LocalJob) and (head := self.job.head(model)) and self.vectors is not None:
            self.probabilities.append(logits(head.parameters, self.vectors[None]).softmax(-1))
        if not self.going and self.head is None and self.job.error is None:
            self.head = self.job.head(model)
            return self.head is not None
        return False

    def errors(self) -> dict[int, str]:
        """The finished head's wrong label for each point of the map that it gets wrong."""
        head = self.head
        if head is None or self.vectors is None or head.task.kind == "answers":
            return {}
        from explorer.finetuning.task_head import logits

        best = logits(head.parameters, self.vectors[None]).argmax(-1).tolist()
        predictions = enumerate(zip(self.job.watched, (head.task.labels[label] for label in best)))
        return {i: prediction for i, (point, prediction) in predictions if prediction != point.label}


def threads() -> int:
    """Threads for a training; the page and other visitors need some too."""
    return max(1, (os.cpu_count() or 2) // 2)


def find(spec: "TrainingSpec") -> Training | None:
    """This visitor's training of a specification."""
    return TRAININGS.get().get(spec)


def records(spec: "TrainingSpec") -> list[Any]:
    """What is drawn of this visitor's training of a specification; [] without one."""
    training = find(spec)
    return training.records if training else []


def find_head(spec: "HeadSpec") -> HeadTraining | None:
    """This visitor's training of a head."""
    training = find(spec)
    assert training is None or isinstance(training, HeadTraining)
    return training


def start(spec: "TrainingSpec", model: "LanguageModel") -> None:
    """Start a training in place of an earlier one of the same specification. Raises ExplorerError."""
    from explorer.finetuning.jobs import queue
    from explorer.finetuning.training_specs import HeadSpec

    trainings = TRAININGS.get()
    if sum(other.job.state == "waiting" for other in list(trainings.values())) >= MOST_WAITING:
        raise ExplorerError(
            _("{count} trainings of yours are waiting already.", count=MOST_WAITING),
            _("Let one of them begin first."),
        )
    training: Training
    if isinstance(spec, HeadSpec):
        short = not spec.heavy and len(spec.examples) <= MOST_EXAMPLES
        training = HeadTraining(LocalJob(spec, model) if short else queue().submit(spec))
    else:
        training = Training(queue().submit(spec))
    trainings.pop(spec, None)
    trainings[spec] = training
    visitors.on_session_end(f"training/{training.number}", training.job.stop)
    same_type = [other for other in list(trainings) if type(other) is type(spec)]
    for oldest in same_type[:-MOST]:
        if dropped := trainings.pop(oldest, None):
            dropped.job.stop()
