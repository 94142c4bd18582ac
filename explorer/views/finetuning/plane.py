"""The map beside a training: what the head is given of each watched example, moving as the layers learn."""

from typing import TYPE_CHECKING, Any

from explorer.views.finetuning import runs
from explorer.views.finetuning.before import before
from explorer.views.finetuning.bench import Bench
from explorer.views.widgets.marks import PATHS, mark

if TYPE_CHECKING:
    from explorer.views.finetuning.case import Case

MOST_NAMED = 7  # classes in the legend: there is room for no more
LONGEST = 160  # characters of an example that a dot tells


def data(bench: Bench, run: "runs.Run | None", case: "Case") -> dict[str, Any]:
    """What the component draws: the newest map of the training, or the one before any."""
    names = bench.classes
    if run is not None and run.maps:
        watched, points, wrong = run.job.watched, run.maps[-1], run.wrong()
        note = (
            "they move as the layers learn" if bench.tunes else "frozen layers: the dots stay where they are"
        )
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
        "legend": [(i, name) for i, name in enumerate(names) if i in shown][:MOST_NAMED],
        "label": f"Map of {len(dots)} {case.dots}",
        "note": note,
    }
