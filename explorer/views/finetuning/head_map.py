"""The map beside a training: what the head reads of each watched example, moving as the layers learn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.views.finetuning.head_state import HeadState
from explorer.views.finetuning.trainings import HeadTraining
from explorer.views.finetuning.untrained_map import untrained_map
from explorer.views.widgets.marks import PATHS, mark

if TYPE_CHECKING:
    from torch import Tensor

LEGEND_CHARACTERS = 60  # in the legend and the note beside it
TIP_CHARACTERS = 160  # of an example
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
