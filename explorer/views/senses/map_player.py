"""The map with its layer player: its data, its callbacks and nearest neighbours."""

from collections.abc import Sequence
from typing import Any

from explorer.locale import _
from explorer.views.senses import map_data as charts
from explorer.views.senses.grouping import Grouping
from explorer.views.senses.layer_maps import METHODS, LayerMaps
from explorer.views.senses.settings import AXES, LAYER, LOCKED, PROJECTION
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences
from explorer.views.settings.settings import Settings
from explorer.views.widgets.controls import segments
from explorer.views.widgets.registry import component, component_value
from explorer.views.widgets.word_map import lock

MAP_PX = 364
NEIGHBOURS = 4


def projection_controls(settings: Settings, methods: Sequence[str]) -> None:
    """Draw the choice among some projections and that of the dimensions in the current row."""
    segments(settings, PROJECTION, _("Projection"), {method: METHODS[method] for method in methods})
    segments(settings, AXES, _("Dimensions"), {axes: _("{axes}-D", axes=axes) for axes in (2, 3)})


def show(
    settings: Settings,
    occurrences: WordOccurrences,
    groups: Grouping,
    maps: LayerMaps,
    lines: list[str],
    **more: Any,
) -> None:
    """Draw the maps with their player; `lines` has a line for every stop, `more` is further data."""
    settings.label(LAYER, _("Layer"))
    key, unit, at = "senses/map", max(maps.reach), occurrences.index(settings[LOCKED])

    def step() -> None:
        if (chosen := component_value(key, "layer", int)) is not None:
            settings.set(LAYER.to(min(max(chosen, ALONE), occurrences.layers)))

    data = picture_data(occurrences, groups, unit) | {
        "stops": charts.stops(occurrences),
        "lines": lines,
        "first": ALONE,
        "layer": settings[LAYER],
        "frames": charts.frames(maps.planes, unit),
        "locked": "" if at is None else settings[LOCKED],
        "near": neighbours(occurrences, occurrences.stops, at),
    }
    component("senses/sense_map")(
        key=key, data=data | more, on_lock_change=lock(settings, key, LOCKED), on_layer_change=step
    )


def picture_data(occurrences: WordOccurrences, groups: Grouping, unit: float) -> dict[str, Any]:
    """What the component draws at every layer; no dot is selected."""
    return {
        "label": _(
            "Map of {count} occurrences of {word}", count=len(occurrences.matches), word=occurrences.word
        ),
        "height": MAP_PX,
        "axes": 2,
        "unit": unit / charts.GRAIN,
        "dots": charts.dots(occurrences, groups),
        "marks": charts.marks(groups),
        "names": charts.names(groups),
        "contours": None,
        "first": 0,
        "layer": 0,
        "locked": "",
        "near": [],
    }


def neighbours(occurrences: WordOccurrences, layers: Sequence[int | None], at: int | None) -> list[list[int]]:
    """The dots nearest to one of them at each of some layers; without a dot or a layer there are none."""
    if at is None:
        return [[] for _ in layers]
    return [[] if layer is None else [i for i, cosine in nearest(occurrences, layer, at)] for layer in layers]


def nearest(
    occurrences: WordOccurrences, stop: int, index: int, top: int = NEIGHBOURS
) -> list[tuple[int, float]]:
    """The occurrences nearest to one of them by cosine in the original space, with their cosines."""
    import torch.nn.functional as F

    unit = F.normalize(occurrences.at(stop), dim=-1)
    cosines = (unit @ unit[index]).tolist()
    others = (i for i in range(len(cosines)) if i != index)
    return [(i, cosines[i]) for i in sorted(others, key=lambda i: (-round(cosines[i], 6), i))[:top]]
