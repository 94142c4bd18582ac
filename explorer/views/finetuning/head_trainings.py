"""A visitor's trainings: what was asked for, what has come of it so far, and the head.

They live in the session, and the jobs behind them in the server's queue: a rerun, another page or another
visitor takes nothing of them away.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.finetuning.followed import Followed, keep
from explorer.views.finetuning.here import MOST_EXAMPLES, Here
from explorer.views.finetuning.settings import BODY, SEED
from explorer.views.finetuning.train_row import threads

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.finetuning import Progress, TaskHead
    from explorer.models import LanguageModel
    from explorer.views.finetuning.bench import Bench

KEPT = 6  # trainings of a session; the oldest goes first
TRAININGS = "finetuning/runs"  # where the session state keeps them
SMALLEST_REACH = 1e-3  # below it a picture shows rounding errors


@dataclass(frozen=True)
class Asked:
    """What a training is of: two that are equal would give the same head."""

    model: str
    kind: str
    how: str
    seed: int
    examples: str


@dataclass(eq=False)
class HeadTraining(Followed):
    """One training of a head: what its job (a Here, or one of the queue) tells is its progress.

    `maps` are the planes of its watched vectors.
    """

    asked: Asked = field(kw_only=True)
    now: "Progress | None" = None
    losses: list[tuple[int, float]] = field(default_factory=list)
    scores: list[tuple[int, float]] = field(default_factory=list)
    maps: "list[Tensor]" = field(default_factory=list)
    vectors: "Tensor | None" = None
    head: "TaskHead | None" = None

    @property
    def told(self) -> "list[Progress]":
        """All progress so far."""
        found: list[Progress] = self.job.records
        return found

    @property
    def step(self) -> int:
        """How far it is, of `of`."""
        return self.now.step if self.now else 0

    @property
    def of(self) -> int:
        """How many steps there are."""
        return self.now.of if self.now else 1

    def look(self, model: "LanguageModel") -> bool:
        """Take over what has come since the last look; whether the head has come with it."""
        if isinstance(self.job, Here):
            self.job.advance()
        for progress in self.fresh():
            self._take(progress)
        if not self.going and self.head is None and self.job.error is None:
            self.head = self.job.head(model)
            return self.head is not None
        return False

    def _take(self, progress: "Progress") -> None:
        from explorer.finetuning.map_points import project_aligned

        self.now = progress
        if progress.stage != "training":
            return
        if progress.loss is not None:
            self.losses.append((progress.step, progress.loss))
        if progress.scores:
            self.scores.append((progress.step, next(iter(progress.scores.values()))))
        if progress.vectors is not None:
            self.vectors = progress.vectors
            self.maps.append(project_aligned(progress.vectors, self.maps[-1] if self.maps else None))

    def wrong(self) -> dict[int, str]:
        """The dots of which the finished head says something else than is right, with what it says."""
        head = self.head
        if head is None or self.vectors is None or head.task.kind == "answers":
            return {}
        from explorer.finetuning.task_head import logits

        best = logits(head.parameters, self.vectors[None]).argmax(-1).tolist()
        labels = head.task.labels
        return {
            i: labels[said]
            for i, (dot, said) in enumerate(zip(self.job.watched, best))
            if labels[said] != dot.label
        }


def find(asked: Asked) -> HeadTraining | None:
    """The session’s training of just that, if there is one."""
    return _kept().get(asked)


def start(bench: "Bench") -> None:
    """Begin one, from the beginning where there was one. Raises ExplorerError."""
    from explorer.finetuning.jobs import queue
    from explorer.finetuning.training_specs import HeadSpec

    settings = bench.settings
    spec = HeadSpec(
        str(bench.model.checkpoint),
        tuple(bench.examples.examples),
        how=settings[BODY],
        seed=settings[SEED],
        threads=threads(),
    )
    short = spec.how == "frozen" and len(spec.examples) <= MOST_EXAMPLES
    job = Here(spec, bench.model) if short else queue().submit(spec)
    keep(_kept(), bench.asked, HeadTraining(job, asked=bench.asked), KEPT)


def _kept() -> dict[Asked, HeadTraining]:
    kept: dict[Asked, HeadTraining] = st.session_state.setdefault(TRAININGS, {})
    return kept
