"""The map of two languages as plain data: a colour for what is asked, a shape for each language."""

from typing import Any

from explorer.views.finetuning.bilingual_states import Seen
from explorer.views.widgets.marks import PATHS

MAP_PX = 346
NAMES = ("English", "Chinese")
SHAPES = ("circle", "diamond")
GREY = -1
SMALLEST_REACH = 1e-6


def dots(seen: Seen, layer: int, by_label: bool) -> dict[str, Any]:
    """What the component draws of one layer: coloured by label, or else by language."""
    labels = list(dict.fromkeys(seen.labels)) if by_label else []
    points = seen.places[layer].coordinates
    reach = points.abs().amax().clamp_min(SMALLEST_REACH)
    wrong = seen.wrong(layer)
    made = []
    for i, (x, y) in enumerate((points / reach).tolist()):
        chinese = int(i >= seen.english)
        group = labels.index(seen.labels[i]) if by_label else 0
        made.append(
            {
                "x": round(x, 4),
                "y": round(y, 4),
                "mark": 2 * group + chinese,
                "wrong": wrong[i],
                "tip": _tip(seen, layer, i, wrong[i]),
            }
        )
    colours = [(i, i) for i in range(len(labels))] if by_label else [(0, 1)]
    if by_label:
        colours.append((GREY, GREY))  # for the legend's shapes
    marks = [
        {"colour": colour, "path": PATHS[shape]} for both in colours for colour, shape in zip(both, SHAPES)
    ]
    legend = [(2 * i, label) for i, label in enumerate(labels)]
    legend += [(2 * len(labels) + i, name) for i, name in enumerate(NAMES)]
    return {
        "height": MAP_PX,
        "dots": made,
        "marks": marks,
        "legend": legend,
        "label": f"Map of {len(made)} sentences in English and Chinese at layer {layer}",
        "note": "hollow: its translation is not the nearest" if seen.transfer is None else "hollow: wrong",
        "frames": [],
    }


def _tip(seen: Seen, layer: int, i: int, wrong: bool) -> str:
    if seen.transfer is None:
        other = seen.texts[i + seen.english] if i < seen.english else seen.texts[i - seen.english]
        return f"{seen.texts[i]} · {other}"
    told = f"{seen.texts[i]} · {seen.labels[i]}"
    return (
        f"{told}, but the classifier says {seen.asked[layer].predictions[i - seen.english]}"
        if wrong
        else told
    )
