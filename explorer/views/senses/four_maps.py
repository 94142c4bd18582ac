"""Four small maps of the same occurrences as plain data: places, equal vectors, guesses, figures."""

from typing import TYPE_CHECKING, Any

from explorer.views.frame import memory
from explorer.views.frame.saving import table
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences
from explorer.views.senses.map_data import GRAIN
from explorer.views.senses.layer_maps import layer_maps
from explorer.views.widgets import marks as charts

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.models import LanguageModel

NOTHING, BOTH, LEFT = "nothing", "both", "left"
SAYS = {
    "word2vec": "reads the word alone",
    "elmo": "reads from both ends",
    "bert": "reads both sides at once",
    "gpt": "reads what comes before",
}


def reads(model: "LanguageModel") -> str:
    """What of a sentence is in a word's vector: nothing around it, both sides, or what is left of it."""
    from explorer.trace import Ability

    if Ability.CONTEXT not in model.abilities:
        return NOTHING
    return LEFT if Ability.GENERATE in model.abilities else BOTH


def panels(looks: list[tuple[str, WordOccurrences | None, str]], depth: str, most: int) -> list[dict[str, Any]]:
    """One entry per model, its dots at most `most`; turned to lie as near to BERT's as they can."""
    made = [
        _panel(name, occurrences, depth, most)
        if occurrences
        else {"name": name, "title": memory.short_label(name), "problem": problem, "stop": None}
        for name, occurrences, problem in looks
    ]
    drawn = [panel for panel in made if "points" in panel]
    leader = next((panel for panel in drawn if panel["name"] == "bert"), drawn[0] if drawn else None)
    for panel in drawn:
        _turn(panel, leader)
    for panel in drawn:
        _flatten(panel)
    return made


def coordinates(panels: list[dict[str, Any]]) -> str:
    """Every dot of every map as CSV, in context; 1 is the farthest dot of its map."""
    rows = [
        [panel["name"], panel["layer"], i, "".join(dot["parts"]), dot["sense"], x / GRAIN, y / GRAIN]
        for panel in panels
        if "dots" in panel
        for i, (dot, (x, y)) in enumerate(zip(panel["dots"], _pairs(panel["places"]["context"])))
    ]
    return table(["model", "layer", "number", "sentence", "sense", "x", "y"], rows)


def _panel(name: str, occurrences: WordOccurrences, depth: str, most: int) -> dict[str, Any]:
    from explorer.analysis.senses.duplicates import duplicates

    model = memory.get(name)
    stop = occurrences.layers
    if depth == "best" and occurrences.separation is not None and len(duplicates(occurrences.at(stop))) > 1:
        stop = occurrences.separation.best_layer
    planes = layer_maps(occurrences, "pca", 2, stop).planes
    size = min(len(occurrences.found), most)
    senses = charts.order(occurrences.senses)
    read = reads(model)
    return {
        "name": name,
        "title": memory.short_label(name),
        "says": SAYS.get(name, ""),
        "reads": read,
        "stop": stop,
        "layer": "one vector" if read == NOTHING else "embedding" if stop == 0 else f"layer {stop}",
        "dots": [
            {
                "id": occurrences.name(i),
                "mark": -1 if occurrences.senses[i] is None else senses.index(occurrences.senses[i]),
                "sense": occurrences.senses[i] or "",
                "parts": charts.parts(occurrences.text(i), occurrences.found.span[i]),
            }
            for i in range(size)
        ],
        "points": {"context": planes[stop - ALONE][:size], "static": planes[0][:size]},
        "alike": {
            "context": duplicates(occurrences.at(stop)[:size]),
            "static": duplicates(occurrences.alone[:size]),
        },
        **_judged(occurrences, stop, size),
    }


def _judged(occurrences: WordOccurrences, stop: int, size: int) -> dict[str, Any]:
    """How many dots lie nearest to their own sense at a layer, and which sense each lies nearest to."""
    found = occurrences.separation
    if found is None:
        return {"guesses": [], "right": None, "judged": 0, "chance": 0.0}
    return {
        "guesses": found.guesses[stop][:size],
        "right": round(float(found.accuracy[stop]) * found.judged, 1),
        "judged": found.judged,
        "chance": round(found.judged / len(found.senses), 1),
    }


def _turn(panel: dict[str, Any], leader: dict[str, Any]) -> None:
    """Turn a panel's places, both states alike, to lie as near the leader's in context as they can."""
    import torch

    from explorer.analysis.projection.methods import Projection, align

    if panel is leader or [d["id"] for d in panel["dots"]] != [d["id"] for d in leader["dots"]]:
        return
    context, static = panel["points"]["context"], panel["points"]["static"]
    onto = torch.cat([_unit(leader["points"]["context"]), torch.zeros_like(static)])
    turned = align(Projection(onto, "pca"), Projection(torch.cat([context, static]), "pca")).coordinates
    panel["points"] = dict(zip(("context", "static"), turned.split([len(context), len(static)])))


def _flatten(panel: dict[str, Any]) -> None:
    """Places as whole numbers, GRAIN at the farthest dot of either state."""
    points = panel.pop("points")
    reach = max(float(plane.abs().max()) for plane in points.values()) or 1.0
    panel["places"] = {
        state: (plane / max(reach, 1e-3) * GRAIN).round().int().flatten().tolist()
        for state, plane in points.items()
    }


def _pairs(flat: list[int]) -> list[tuple[int, int]]:
    return list(zip(flat[::2], flat[1::2], strict=True))


def _unit(plane: "Tensor") -> "Tensor":
    return plane / plane.abs().max().clamp(min=1e-9)
