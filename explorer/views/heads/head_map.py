"""The components of the heads page: the map of all heads, a ranking beside it, a sentence with arcs."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from explorer.locale import localised
from explorer.views import kit
from explorer.views.types import Tensor
from explorer.views.widgets import ranking as widgets

Head = tuple[int, int]
SCALES = (0.25, 0.5, 1.0)  # only a few, so that a colour rarely changes its meaning
STEPS = 12  # colours on each side of a legend's ramp
ROOM = 168  # px for the rows of a model of up to six layers
ABOVE, BELOW = 60, 42  # px for the arcs over and under a sentence
LARGER = 1.4  # times that in presenter mode
FAINTEST = 0.02  # an arc of less attention would be too thin and pale to see


def name(head: Head) -> str:
    """The name of a head on screen: (2, 9) is L3H10."""
    return kit.head_name(*head)


def best(grid: "Tensor") -> Head:
    """The head with the highest value."""
    return divmod(int(grid.nan_to_num(-1e9).argmax()), grid.shape[1])


def ramp_end(grid: "Tensor") -> float:
    """The value of the deepest colour: the smallest scale that holds all values, which are 0 to 1."""
    highest = float(grid.nan_to_num(0).max())
    return next((s for s in SCALES if s >= highest), highest)


def share_cells(
    grid: "Tensor", top: float, tips: Callable[[Head], str], percent: bool = True
) -> list[dict[str, Any]]:
    """A cell for each head: a deeper attention hue for a higher value, empty for nan."""
    return _cells(grid, lambda v: kit.theme.mix(kit.palette().attention, v / top), percent, tips)


def signed_cells(grid: "Tensor", top: float, tips: Callable[[Head], str]) -> list[dict[str, Any]]:
    """A cell for each head: orange above zero, purple below."""
    below, _, above = kit.palette().difference

    def colour(value: float) -> str:
        return kit.theme.mix((kit.palette().ground, above if value > 0 else below), abs(value) / top)

    return _cells(grid, colour, True, tips)


def head_map(
    label: str,
    grid: "Tensor",
    cells: list[dict[str, Any]],
    on_pick: Callable[[int, int | None], None],
    legend: dict[str, Any] | None = None,
    marks: dict[str, Iterable[Head]] | None = None,
    layer_action: str = "",
    room: int = ROOM,
) -> None:
    """Draw the map; a click calls `on_pick(layer, head)`, with None for the head on a layer's name.

    `marks` are heads by state: "chosen", "best", "off". The names of layers are buttons if
    `layer_action` says what they do, as in “Switch off layer {layer}”. For `legend`, see there.
    """
    layers, heads = grid.shape
    for state, marked in (marks or {}).items():
        for layer, head in marked:
            cell = cells[layer * heads + head]
            cell["state"] += f" {state}"
            if state == "off":
                cell["text"] = "×"

    def pick() -> None:
        spot = kit.component_value(
            "heads/map", "pick", {"layer": range(layers), "head": [None, range(heads)]}
        )
        if spot is not None:
            on_pick(spot["layer"], spot["head"])

    data = {"label": label, "layers": layers, "heads": heads, "cells": cells, "room": room}
    data |= {"legend": legend, "whole": layer_action, "plain": kit.for_class()}
    kit.component("heads/layer_map")(key="heads/map", data=data, on_pick_change=pick)


def legend(
    low: str, high: str, unit: str, ticks: Sequence[float] = (), signed: bool = False
) -> dict[str, Any]:
    """The colours from low to high, with their unit; `ticks` are marks from 0 to 1."""
    p, steps = kit.palette(), [i / STEPS for i in range(STEPS + 1)]
    colours = [kit.theme.mix(p.attention, at) for at in steps]
    if signed:
        below, above = (p.ground, p.difference[0]), (p.ground, p.difference[2])
        colours = [
            *(kit.theme.mix(below, at) for at in reversed(steps)),
            *(kit.theme.mix(above, at) for at in steps),
        ]
    return {"low": low, "high": high, "unit": unit, "ticks": list(ticks), "colours": colours}


def ranking(
    label: str,
    heading: str,
    grid: "Tensor",
    heads: Sequence[Head],
    chosen: Head,
    note: Callable[[Head], str],
    tip: Callable[[Head], str],
    on_pick: Callable[[int, int], None],
    number: Callable[[float], str] = kit.whole_percent,
    tick: float | None = None,
    scale: float = 1.0,
) -> None:
    """Draw `heads` in order, each with a bar for its value in `grid`; a click calls `on_pick(layer, head)`.

    `tick` is a value that is marked on every bar, and `scale` the value of a full bar.
    """
    rows = [
        {
            "name": name(head),
            "note": note(head),
            "value": float(grid[head]),
            "number": number(float(grid[head])),
            "tip": tip(head),
            "chosen": head == chosen,
        }
        for head in heads
    ]
    widgets.ranking("heads/ranking", label, rows, lambda at: on_pick(*heads[at]), heading, tick, scale)


def arcs(
    key: str,
    label: str,
    tokens: list[dict[str, Any]],
    arcs: list[dict[str, Any]],
    caption: str = "",
    hint: str = "",
    head: str = "",
    message: str = "",
    causal: bool = False,
    drawn_arcs: Sequence[tuple[int, int]] | None = None,
    on_draw: Callable[[int, int], None] | None = None,
    on_erase: Callable[[int, int], None] | None = None,
) -> None:
    """Draw a sentence with arcs {"from", "to", "weight", "kind"}.

    Kinds: "" for arcs that the score counts and "other" for the rest; "hit" and "miss" for a right and a
    wrong answer, "wanted" for the right answer that a head missed. With `drawn_arcs`, the visitor's own,
    two clicks on words draw another.
    """

    def callback(event: str, then: Callable[[int, int], None] | None) -> Callable[[], None]:
        def run() -> None:
            spot = kit.component_value(key, event, {"from": range(len(tokens)), "to": range(len(tokens))})
            if spot is not None and then is not None:
                then(spot["from"], spot["to"])

        return run

    scale = LARGER if kit.presenting() else 1.0
    kit.component("heads/arcs")(
        key=key,
        data={
            "label": label,
            "tokens": tokens,
            "arcs": arcs,
            "drawn": [list(arc) for arc in drawn_arcs] if drawn_arcs is not None else None,
            "drawing": drawn_arcs is not None,
            "caption": caption,
            "hint": hint,
            "name": head,
            "message": message,
            "scale": scale,
            "above": scale * (ABOVE + (BELOW - 16 if causal else 0)),
            "below": 16 if causal else BELOW,
        },
        on_draw_change=callback("draw", on_draw),
        on_erase_change=callback("erase", on_erase),
    )


def _cells(
    grid: "Tensor", colour: Callable[[float], str], percent: bool, tips: Callable[[Head], str]
) -> list[dict[str, Any]]:
    cells = []
    for layer, row in enumerate(grid.tolist()):
        for head, value in enumerate(row):
            has_value = value == value
            ground = colour(value) if has_value else "transparent"
            text = f"{100 * value:.0f}" if percent else localised(f"{value:.1f}")
            cells.append(
                {
                    "text": ("0" if text == "-0" else text.replace("-", "−")) if has_value else "",
                    "colour": ground,
                    "ink": kit.theme.text_on(ground) if has_value else kit.palette().quiet,
                    "tip": tips((layer, head)),
                    "state": "" if has_value else "empty",
                }
            )
    return cells
