"""The map beside a training: what the head reads of each watched example, moving as the layers learn."""

from collections.abc import Sequence
from typing import Any

from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.finetuning.class_names import class_name
from explorer.views.finetuning.head_state import HeadState
from explorer.views.finetuning.trainings import HeadTraining
from explorer.views.types import HeadSpec, LanguageModel, MapPoint, Tensor
from explorer.views.widgets.marks import PATHS

TIP_CHARACTERS = 160  # of an example
STAGE_PX = 290  # height of the map in presenter mode
SMALLEST_REACH = 1e-3  # below it a map shows rounding errors


def data(state: HeadState, training: HeadTraining | None) -> dict[str, Any]:
    """The component's data: the newest map of the training, or the one before any."""
    import torch

    names, by_tag = state.classes, state.spec.kind == "tags"
    label_name = _ if state.spec.kind == "answers" else class_name
    points, untrained = untrained_map(state.model, hash(state.training_spec), state.training_spec)
    learns = state.training_spec.how != "frozen"
    by_probability = parts_two_classes(state)
    maps = training.maps if learns and training is not None and training.maps else [untrained]
    if by_probability:
        before = torch.full((len(points), 2), 0.5)
        after = training.probabilities if training is not None else []
        maps = [across(probabilities, untrained) for probabilities in [before, *after]]
    errors = training.errors() if training is not None else {}
    if training is None:
        note = _("before training")
    elif by_probability:
        held_out = sum(point.held_out for point in points)
        text = N_("they move as the head learns; {count} of the {all} are held out")
        note = _(text, count=held_out, all=len(points))
    else:
        note = _("they move as the layers learn") if learns else _("frozen layers: the dots stay")
    # One scale for all maps of a training, so that what moves has moved.
    reach = torch.stack(maps).abs().amax((0, 1)).clamp_min(SMALLEST_REACH)
    if by_probability:
        reach[0] = 1
    dots = []
    for i, (point, (x, y)) in enumerate(zip(points, (maps[-1] / reach).tolist())):
        name = point.label[2:] if by_tag else point.label
        tip = f"{point.text[:TIP_CHARACTERS]} · {label_name(point.label)}"
        dots.append(
            {
                "x": round(x, 4),
                "y": round(y, 4),
                "mark": names.index(name) if name in names else -1,
                "wrong": i in errors,
                "tip": _("{tip}, but the head says {label}", tip=tip, label=class_name(errors[i]))
                if i in errors
                else tip,
            }
        )
    marks = {dot["mark"] for dot in dots}
    legend = [(i, label_name(name)) for i, name in enumerate(names) if i in marks]
    return {
        "height": STAGE_PX if kit.presenting() else state.spec.map_px,
        "sides": [class_name(label) for label in state.task.labels] if by_probability else [],
        "dots": dots,
        "marks": [*map(kit.mark, range(len(names))), {"colour": -1, "path": PATHS["circle"]}],
        "legend": legend,
        "label": _("Map of {count} {items}", count=len(dots), items=_(state.spec.items)),
        "note": note,
        "frames": frames(maps, reach) if training is not None and not training.going else [],
    }


def parts_two_classes(state: HeadState) -> bool:
    """Whether dots lie by what the head says of them: of two classes on frozen layers, whose dots stay."""
    return state.task.whole_text and len(state.task.labels) == 2 and state.training_spec.how == "frozen"


def across(probabilities: "Tensor", untrained: "Tensor") -> "Tensor":
    """Each dot from left, surely the first class, to right, surely the second; its height stays as it was."""
    import torch

    return torch.stack([2 * probabilities[:, 1] - 1, untrained[:, 0]], 1)


def frames(maps: "Sequence[Tensor]", reach: "Tensor") -> list[list[list[float]]]:
    """The maps from before the training to its end, to be played; empty if nothing has moved."""
    if len(maps) < 2:
        return []
    return [[[round(x, 3), round(y, 3)] for x, y in (points / reach).tolist()] for points in maps]


@kit.kept(24)
def untrained_map(model: "LanguageModel", of_spec: int, _spec: "HeadSpec") -> "tuple[list[MapPoint], Tensor]":
    """The points of a training, and their projection (PCA) before it begins; `of_spec` is the spec's hash."""
    from explorer.finetuning.base_model import feature_vectors
    from explorer.finetuning.progress import map_vectors, project_aligned

    run, task = _spec.run(model), _spec.task
    vectors = dict(feature_vectors(model, run.watched_items, task.whole_text, _spec.features))
    rows = [vectors[i] for i in range(len(run.watched_items))]
    return run.watched, project_aligned(map_vectors(task, rows))
