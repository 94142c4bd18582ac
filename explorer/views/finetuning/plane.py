"""The map beside a training: what the head is given of each watched example, moving as the layers learn."""

from typing import TYPE_CHECKING, Any

from explorer.views.finetuning import runs
from explorer.views.finetuning.bench import Bench
from explorer.views.widgets.marks import PATHS, mark

if TYPE_CHECKING:
    from explorer.views.finetuning.case import Case

LONGEST = 160  # characters of an example that a dot tells


def data(bench: Bench, run: "runs.Run | None", case: "Case") -> dict[str, Any]:
    """What the component draws; an empty plane before anything is known."""
    names = bench.classes
    empty = {
        "height": case.map_px,
        "dots": [],
        "marks": [*map(mark, range(len(names))), {"colour": -1, "path": PATHS["circle"]}],
        "legend": [],
        "label": "A map of the examples, once training has begun",
        "note": "",
    }
    if run is None or not run.maps:
        return empty
    points, wrong = run.maps[-1], run.wrong()
    reach = points.abs().amax(0).clamp_min(runs.SMALLEST_REACH).tolist()
    dots = []
    for i, (dot, (x, y)) in enumerate(zip(run.job.watched, points.tolist())):
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
    moves = "they move as the layers learn" if bench.tunes else "frozen layers: the dots stay where they are"
    return empty | {
        "dots": dots,
        "legend": [(i, name) for i, name in enumerate(names) if i in shown],
        "label": f"Map of {len(dots)} {case.dots}",
        "note": moves,
    }
