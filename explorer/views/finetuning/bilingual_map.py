"""The map of two languages as plain data: a colour for each class, a shape for each language."""

from typing import Any

from explorer.views.finetuning.bilingual_states import BilingualResult
from explorer.views.widgets.marks import PATHS

MAP_PX = 346
NAMES = ("English", "Chinese")
SHAPES = ("circle", "diamond")
GREY = -1
SMALLEST_REACH = 1e-6


def dots(result: BilingualResult, layer: int, by_label: bool) -> dict[str, Any]:
    """The component's data for one layer, coloured by label or else by language."""
    labels = list(dict.fromkeys(result.labels)) if by_label else []
    coordinates = result.projections[layer].coordinates
    reach = coordinates.abs().amax().clamp_min(SMALLEST_REACH)
    wrong = result.wrong(layer)
    points: list[dict[str, Any]] = []
    for i, (x, y) in enumerate((coordinates / reach).tolist()):
        chinese = int(i >= result.english)
        group = labels.index(result.labels[i]) if by_label else 0
        points.append(
            {
                "x": round(x, 4),
                "y": round(y, 4),
                "mark": 2 * group + chinese,
                "wrong": wrong[i],
                "tip": _tip(result, layer, i, wrong[i]),
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
        "dots": points,
        "marks": marks,
        "legend": legend,
        "label": f"Map of {len(points)} sentences in English and Chinese at layer {layer}",
        "note": "hollow: its translation is not the nearest" if result.transfer is None else "hollow: wrong",
        "frames": [],
    }


def _tip(result: BilingualResult, layer: int, i: int, wrong: bool) -> str:
    if result.transfer is None:
        other = result.texts[i + result.english] if i < result.english else result.texts[i - result.english]
        return f"{result.texts[i]} · {other}"
    tip = f"{result.texts[i]} · {result.labels[i]}"
    return (
        f"{tip}, but the classifier says {result.predictions[layer].predictions[i - result.english]}"
        if wrong
        else tip
    )
