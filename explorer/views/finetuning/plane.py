"""The map beside a training: what the head is given of each watched example, moving as the layers learn."""

from typing import TYPE_CHECKING, Any

from explorer.views.finetuning import runs
from explorer.views.finetuning.before import before
from explorer.views.finetuning.bench import Bench
from explorer.views.widgets.marks import PATHS, mark

if TYPE_CHECKING:
    from explorer.views.finetuning.case import Case

LEGEND = 60  # characters that there is room for in the legend
LONGEST = 160  # characters of an example that a dot tells


def data(bench: Bench, run: "runs.Run | None", case: "Case") -> dict[str, Any]:
    """What the component draws: the newest map of the training, or the one before any."""
    names = bench.classes
    if run is not None and run.maps:
        watched, points, wrong = run.job.watched, run.maps[-1], run.wrong()
        note = "they move as the layers learn" if bench.tunes else "frozen: the dots stay where they are"
    else:
        (watched, points), wrong, note = before(bench), {}, "before training"
    reach = points.abs().amax(0).clamp_min(runs.SMALLEST_REACH).tolist()
    dots = []
    for i, (dot, (x, y)) in enumerate(zip(watched, points.tolist())):
        own = dot.label[2:] if bench.kind == "tags" else dot.label
        told = f"{dot.text[:LONGEST]} · {dot.label}"
        dots.append(
            {
                "x": round(x / reach[0], 4),
                "y": round(y / reach[1], 4),
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
    }


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
