"""The map beside a training: what the head is given of each watched example, moving as the layers learn."""

from typing import TYPE_CHECKING, Any

from explorer.views.finetuning import head_trainings
from explorer.views.finetuning.before import before
from explorer.views.finetuning.bench import Bench
from explorer.views.widgets.marks import PATHS, mark

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.views.finetuning.case import Case

LEGEND = 60  # characters that there is room for in the legend
LONGEST = 160  # characters of an example that a dot tells


def data(bench: Bench, run: "head_trainings.HeadTraining | None", case: "Case") -> dict[str, Any]:
    """What the component draws: the newest map of the training, or the one before any."""
    import torch

    names = bench.classes
    if run is not None and run.maps:
        watched, points, wrong = run.job.watched, run.maps[-1], run.wrong()
        note = "they move as the layers learn" if bench.tunes else "frozen: the dots stay where they are"
    else:
        (watched, points), wrong, note = before(bench), {}, "before training"
    maps = run.maps if run is not None and run.maps else [points]
    # As far as any map of the training went: where nothing is rescaled, what moves has moved.
    reach = torch.stack(maps).abs().amax((0, 1)).clamp_min(head_trainings.SMALLEST_REACH)
    dots = []
    for i, (dot, (x, y)) in enumerate(zip(watched, (points / reach).tolist())):
        own = dot.label[2:] if bench.kind == "tags" else dot.label
        told = f"{dot.text[:LONGEST]} · {dot.label}"
        dots.append(
            {
                "x": round(x, 4),
                "y": round(y, 4),
                "mark": names.index(own) if own in names else -1,
                "wrong": i in wrong,
                "tip": f"{told}, but the head says {wrong[i]}" if i in wrong else told,
            }
        )
    shown = {dot["mark"] for dot in dots}
    return {
        "height": case.map_px,
        "dots": dots,
        "marks": [*map(mark, range(len(names))), {"colour": -1, "path": PATHS["circle"]}],
        "legend": legend([(i, name) for i, name in enumerate(names) if i in shown], LEGEND - len(note)),
        "label": f"Map of {len(dots)} {case.dots}",
        "note": note,
        "frames": frames(maps, reach) if run is not None and not run.going else [],
    }


def frames(maps: "list[Tensor]", reach: "Tensor") -> list[list[list[float]]]:
    """The maps from before the training to its end, to be played; none where nothing has moved."""
    if len(maps) < 2:
        return []
    return [[[round(x, 3), round(y, 3)] for x, y in (one / reach).tolist()] for one in maps]


def legend(named: list[tuple[int, str]], room: int) -> list[tuple[int, str]]:
    """The classes that there is room for, by characters: each takes three more for its mark.

    >>> legend([(0, "day"), (1, "room"), (2, "time")], 14)
    [(0, 'day'), (1, 'room')]
    """
    kept: list[tuple[int, str]] = []
    used = 0
    for one in named:
        used += len(one[1]) + 3
        if kept and used > room:
            break
        kept.append(one)
    return kept
