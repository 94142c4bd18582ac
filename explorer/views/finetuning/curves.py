"""The two curves of a training, each with the line that guessing reaches."""

from collections import Counter
from collections.abc import Sequence
from math import log
from typing import Any

from explorer.views.finetuning import head_trainings
from explorer.views.finetuning.bench import Bench

MOST_POINTS = 160
SCORES = {"classes": "accuracy", "pairs": "accuracy", "tags": "F1", "answers": "F1"}


def data(bench: Bench, run: head_trainings.HeadTraining | None) -> list[dict[str, Any]]:
    """What the component draws: the loss in nats, and the score on the examples kept aside."""
    guess = guessing(bench)
    losses = run.losses if run else []
    most = max([guess or 1.0, *(loss for _, loss in losses)]) * 1.12
    share = majority(bench)
    return [
        {
            "title": "loss, nats",
            "points": thinned(losses),
            "most": most,
            "line": guess,
            "lined": "all classes alike",
            "percent": False,
        },
        {
            "title": f"{SCORES[bench.kind]}, kept aside",
            "points": run.scores if run else [],
            "most": 1.0,
            "line": share,
            "lined": "always the most frequent",
            "percent": True,
        },
    ]


def guessing(bench: Bench) -> float | None:
    """The loss of giving every class the same probability; None for answers: passages differ in length."""
    return None if bench.kind == "answers" else log(len(bench.task.labels))


def majority(bench: Bench) -> float | None:
    """The share of the most frequent class; None where the score is no accuracy."""
    labels = Counter(getattr(example, "label", None) for example in bench.examples.examples)
    return labels.most_common(1)[0][1] / labels.total() if bench.kind in ("classes", "pairs") else None


def thinned(points: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """No more points than a small curve can show, the last one among them."""
    every = max(1, len(points) // MOST_POINTS)
    return [*points[:-1:every], *points[-1:]]
