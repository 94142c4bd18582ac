"""The map beside a training: what the head reads of each watched example, moving as the layers learn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.views.finetuning.head_state import HeadState
from explorer.views.finetuning.trainings import HeadTraining
from explorer.views.frame import caching
from explorer.views.widgets.marks import PATHS, mark

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.finetuning.progress import How, MapPoint
    from explorer.finetuning.training_specs import HeadSpec
    from explorer.models import LanguageModel


LEGEND_CHARACTERS = 60  # in the legend and the note beside it
TIP_CHARACTERS = 160  # of an example
MOST_TEXTS = 48  # on the map before any training
SMALLEST_REACH = 1e-3  # below it a map shows rounding errors


def data(state: HeadState, training: HeadTraining | None) -> dict[str, Any]:
    """The component's data: the newest map of the training, or the one before any."""
    import torch

    names, by_tag = state.classes, state.spec.kind == "tags"
    if training is not None and training.maps:
        points, maps, errors = training.job.watched, training.maps, training.errors()
        learns = state.training_spec.how != "frozen"
        note = "they move as the layers learn" if learns else "frozen: the dots stay where they are"
    else:
        points, untrained = untrained_map(state.model, state.training_spec)
        maps, errors, note = [untrained], {}, "before training"
    # One scale for all maps of a training, so that what moves has moved.
    reach = torch.stack(maps).abs().amax((0, 1)).clamp_min(SMALLEST_REACH)
    dots = []
    for i, (point, (x, y)) in enumerate(zip(points, (maps[-1] / reach).tolist())):
        name = point.label[2:] if by_tag else point.label
        tip = f"{point.text[:TIP_CHARACTERS]} · {point.label}"
        dots.append(
            {
                "x": round(x, 4),
                "y": round(y, 4),
                "mark": names.index(name) if name in names else -1,
                "wrong": i in errors,
                "tip": f"{tip}, but the head says {errors[i]}" if i in errors else tip,
            }
        )
    marks = {dot["mark"] for dot in dots}
    legend = [(i, name) for i, name in enumerate(names) if i in marks]
    return {
        "height": state.spec.map_px,
        "dots": dots,
        "marks": [*map(mark, range(len(names))), {"colour": -1, "path": PATHS["circle"]}],
        "legend": shortened(legend, LEGEND_CHARACTERS - len(note)),
        "label": f"Map of {len(dots)} {state.spec.items}",
        "note": note,
        "frames": frames(maps, reach) if training is not None and not training.going else [],
    }


def frames(maps: "Sequence[Tensor]", reach: "Tensor") -> list[list[list[float]]]:
    """The maps from before the training to its end, to be played; empty if nothing has moved."""
    if len(maps) < 2:
        return []
    return [[[round(x, 3), round(y, 3)] for x, y in (points / reach).tolist()] for points in maps]


def shortened(legend: list[tuple[int, str]], room: int) -> list[tuple[int, str]]:
    """The first classes that have room, by characters: each takes three more for its mark.

    >>> shortened([(0, "day"), (1, "room"), (2, "time")], 14)
    [(0, 'day'), (1, 'room')]
    """
    used = 0
    for i, (_, name) in enumerate(legend):
        used += len(name) + 3
        if i and used > room:
            return legend[:i]
    return legend


def untrained_map(model: "LanguageModel", spec: "HeadSpec") -> "tuple[list[MapPoint], Tensor]":
    """Some of the examples of a training, or of their words, and their projection (PCA)."""
    return _cached_map(model, spec.how, hash(spec.examples), spec)


@caching.resource(max_entries=24)
def _cached_map(
    model: "LanguageModel", how: "How", examples: int, _spec: "HeadSpec"
) -> "tuple[list[MapPoint], Tensor]":
    import torch

    from explorer.finetuning import fit, sampling
    from explorer.finetuning.base_model import feature_vectors
    from explorer.finetuning.encoding import encode_example
    from explorer.finetuning.fit import default_features
    from explorer.finetuning.progress import project_aligned

    task, features = _spec.task, default_features(model, how)
    sample = sampling.sample_by_class(_spec.examples, MOST_TEXTS)
    points = fit(model, task, sample, how=how, held_out=0.0).watched
    items = [encode_example(model, task, example, features) for example in sample]
    vectors = dict(feature_vectors(model, items, task.whole_text, features))
    rows = [vectors[i][-1] for i in range(len(items))]  # of the last layer
    rows = [matrix[:1] for matrix in rows] if task.kind == "answers" else rows
    return points, project_aligned(torch.cat(rows)[: len(points)])
