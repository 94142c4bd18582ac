"""A visitor's trainings: what was asked for, what has come of it so far, and the best head.

They live in the session: a rerun, another page or another visitor takes nothing of them away.
"""

from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import ExplorerError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from explorer.analysis.projection import Projection
    from explorer.finetuning import Progress, TrainedHead, Watched
    from explorer.views.finetuning.bench import Bench

KEPT = 6  # finished trainings of a session; the oldest goes first
RUNS = "finetuning/runs"  # where the session state keeps them
PROBLEM = "finetuning/problem"  # session key: why a training could not begin
SMALLEST_REACH = 1e-3  # below it a picture shows rounding errors
_numbers = count()


@dataclass(frozen=True)
class Asked:
    """What a training is of: two that are equal would give the same head."""

    model: str
    kind: str
    how: str
    seed: int
    examples: str


@dataclass(eq=False)
class Run:
    """One training. `frames` are the map's vectors, oldest first; `looks` counts how often one has looked."""

    asked: Asked
    number: int
    job: Any
    stage: str = "waiting"
    step: int = 0
    of: int = 1
    epoch: int = 0
    seconds: float = 0.0
    looks: int = 0
    losses: list[tuple[int, float]] = field(default_factory=list)
    scores: list[tuple[int, float]] = field(default_factory=list)
    measured: dict[str, float] = field(default_factory=dict)
    frames: "list[Tensor]" = field(default_factory=list)
    planes: "list[Projection]" = field(default_factory=list)
    watched: "Sequence[Watched]" = ()
    head: "TrainedHead | None" = None
    error: ExplorerError | None = None
    stopped: bool = False

    @property
    def going(self) -> bool:
        """Whether more is to come."""
        return self.stage != "done" and self.error is None and not self.stopped

    def take(self, progress: "Progress") -> None:
        """One moment of the training."""
        self.stage, self.step, self.of = progress.stage, progress.step, progress.of
        self.epoch, self.seconds = progress.epoch, progress.seconds
        if progress.loss is not None and progress.stage == "training":
            self.losses.append((progress.step, progress.loss))
        if progress.scores and progress.stage == "training":
            self.scores.append((progress.step, next(iter(progress.scores.values()))))
        if progress.scores:
            self.measured = dict(progress.scores)
        if progress.vectors is not None and progress.stage == "training":
            self.frames.append(progress.vectors)
        if progress.head is not None:
            self.head = progress.head

    @property
    def place(self) -> str:
        """The place in line, in words; empty where it is trained now, or done."""
        return ""

    def placed(self) -> "tuple[Tensor, tuple[float, float]]":
        """The newest frame on its plane, turned to match the one before; with the widest reach so far."""
        from explorer.analysis import projection

        for frame in self.frames[len(self.planes) :]:
            flat = projection.project(frame, "pca")
            if self.planes:
                flat = projection.align(self.planes[-1], flat)
            self.planes.append(flat)
        coordinates = self.planes[-1].coordinates[:, :2]
        reach = coordinates.abs().amax(0).clamp_min(SMALLEST_REACH).tolist()
        return coordinates, (reach[0], reach[1])

    def wrong(self) -> dict[int, str]:
        """The dots of whose example the finished head says something else, with what it says."""
        head = self.head
        if head is None or not self.frames or head.task.kind == "answers":
            return {}
        from explorer.finetuning.heads import logits

        best = logits(head.parameters, self.frames[-1][None]).argmax(-1).tolist()
        labels = head.task.labels
        return {
            i: f", but the head says {labels[said]}"
            for i, (told, said) in enumerate(zip(self.watched, best))
            if labels[said] != told.label
        }


def find(asked: Asked) -> Run | None:
    """The session’s training of just that, if there is one."""
    return _runs().get(asked)


def start(bench: "Bench") -> None:
    """Begin one, from the beginning where there was one. Raises ExplorerError."""
    from explorer.finetuning import fit

    examples = list(bench.examples.examples)
    job = fit(bench.model, bench.task, examples, how=bench.settings["body"], seed=bench.settings["seed"])
    kept = _runs()
    kept.pop(bench.asked, None)
    kept[bench.asked] = Run(bench.asked, next(_numbers), job, watched=job.watched)
    for oldest in list(kept)[:-KEPT]:
        del kept[oldest]


def look(run: Run) -> None:
    """Take over what has come of it since the last look."""
    run.looks += 1
    began = perf_counter()
    while run.going and perf_counter() - began < 0.2:
        run.take(next(run.job))


def stop(run: Run) -> None:
    """Stop: the best head so far answers."""
    run.stopped = True
    run.head = run.job.head


def _runs() -> dict[Asked, Run]:
    return st.session_state.setdefault(RUNS, {})
