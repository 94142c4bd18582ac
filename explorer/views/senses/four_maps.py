"""Four small maps of the same occurrences as plain data: places, equal vectors, predicted senses, figures."""

from dataclasses import dataclass
from typing import Any

from explorer.catalogue.ability import Ability
from explorer.catalogue.manifest import manifests
from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.senses.layer_maps import layer_maps
from explorer.views.senses.map_data import GRAIN
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences
from explorer.views.types import Model, Tensor
from explorer.views.widgets import marks as charts


@dataclass(frozen=True, eq=False)
class ByModel:
    """A word's occurrences by one model, with the context that it reads (see `reads`); or the `problem`."""

    name: str
    occurrences: WordOccurrences | None = None
    read: str = ""
    problem: str = ""


NOTHING, BOTH, LEFT = "nothing", "both", "left"


def reads(model: "Model") -> str:
    """The context that a model reads into a word's vector: nothing, both sides, or only the left side."""
    if Ability.CONTEXT not in model.abilities:
        return NOTHING
    return LEFT if Ability.GENERATE in model.abilities else BOTH


def panels(models: list[ByModel], depth: str, most: int) -> list[dict[str, Any]]:
    """A map for each model, of at most `most` dots, rotated to match BERT's."""
    entries: list[dict[str, Any]] = [
        _panel(model.name, model.occurrences, model.read, depth, most)
        if model.occurrences
        else {
            "name": model.name,
            "title": kit.memory.short_label(model.name),
            "problem": model.problem,
            "stop": None,
        }
        for model in models
    ]
    maps = [panel for panel in entries if "points" in panel]
    for panel in maps:
        _turn(panel, next((model for model in maps if model["name"] == "bert"), maps[0]))
    for panel in maps:
        _flatten(panel)
    return entries


def coordinates(panels: list[dict[str, Any]]) -> str:
    """Every dot of every map as CSV, with vectors in context; 1 is the farthest dot of its map."""
    rows = [
        [panel["name"], panel["english"], i, "".join(dot["parts"]), dot["sense"], x / GRAIN, y / GRAIN]
        for panel in panels
        if "dots" in panel
        for i, (dot, (x, y)) in enumerate(zip(panel["dots"], _pairs(panel["places"]["context"])))
    ]
    return kit.table(["model", "layer", "number", "sentence", "sense", "x", "y"], rows)


def _panel(name: str, occurrences: WordOccurrences, read: str, depth: str, most: int) -> dict[str, Any]:
    from explorer.analysis.senses.duplicates import duplicates

    best = occurrences.separation.best_layer if occurrences.separation is not None else None
    stop = best if best is not None and depth == "best" else occurrences.layers
    planes = [plane for plane in layer_maps(occurrences, "pca", 2, stop).planes if plane is not None]
    size = min(len(occurrences.matches), most)
    layer = N_("one vector") if read == NOTHING else N_("embedding") if stop == 0 else N_("layer {number}")
    senses = charts.order(occurrences.senses)
    return {
        "name": name,
        "title": kit.memory.short_label(name),
        "comparison": _comparison(name),
        "reads": read,
        "stop": stop,
        "parted": best is not None or depth != "best",
        "layer": _(layer, number=stop),
        "english": layer.format(number=stop),  # for files
        "dots": [
            {
                "id": occurrences.name(i),
                "mark": -1 if (sense := occurrences.senses[i]) is None else senses.index(sense),
                "sense": occurrences.senses[i] or "",
                "parts": charts.parts(occurrences.text(i), occurrences.matches.span[i]),
            }
            for i in range(size)
        ],
        "points": {"context": planes[stop - ALONE][:size], "static": planes[0][:size]},
        "alike": {
            "context": duplicates(occurrences.at(stop)[:size]),
            "static": duplicates(occurrences.alone[:size]),
        },
        **_scores(occurrences, stop, size),
    }


def _comparison(name: str) -> str:
    """What a bundled model reads of a sentence, in words; empty for other models."""
    model = manifests().get(name)
    return translate(model.comparison) if model else ""


def _scores(occurrences: WordOccurrences, stop: int, size: int) -> dict[str, Any]:
    """The sense that each dot is nearest to at a layer, and how many of these are right."""
    separation = occurrences.separation
    if separation is None:
        return {"guesses": [], "right": None, "judged": 0, "chance": 0.0}
    return {
        "guesses": separation.guesses[stop][:size],
        "right": round(float(separation.accuracy[stop]) * separation.judged, 1),
        "judged": separation.judged,
        "chance": round(separation.judged / len(separation.senses), 1),
    }


def _turn(panel: dict[str, Any], leader: dict[str, Any]) -> None:
    """Rotate a panel's places, static and in context alike, to match the leader's places in context."""
    import torch

    from explorer.analysis.projection import Projection, align

    if panel is leader or [d["id"] for d in panel["dots"]] != [d["id"] for d in leader["dots"]]:
        return
    context, static = panel["points"]["context"], panel["points"]["static"]
    onto = torch.cat([_unit(leader["points"]["context"]), torch.zeros_like(static)])
    turned = align(Projection(onto, "pca"), Projection(torch.cat([context, static]), "pca")).coordinates
    panel["points"] = dict(zip(("context", "static"), turned.split([len(context), len(static)])))


def _flatten(panel: dict[str, Any]) -> None:
    """Replace a panel's points by whole numbers: GRAIN is the farthest dot, static or in context."""
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
