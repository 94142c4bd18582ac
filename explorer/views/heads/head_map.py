"""What the heads page draws: the map of all heads, a ranking beside it, a sentence with arcs."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import theme
from explorer.views.frame.page import palette
from explorer.views.widgets.registry import component, sent

if TYPE_CHECKING:
    from torch import Tensor

Head = tuple[int, int]
SCALES = (0.25, 0.5, 1.0)  # few, so that the colours seldom change their meaning
STEPS = 12  # of a legend's ramp
ROOM = 168  # px for the rows of a model of up to six layers
ABOVE, BELOW = 60, 42  # px for the arcs over and under a sentence
FAINTEST = 0.02  # an arc under this would be thinner and paler than the eye can see


def name(head: Head) -> str:
    """As everywhere: L2H9, from zero."""
    return f"L{head[0]}H{head[1]}"


def read_head(setting: Any, layers: int, heads: int) -> Head | None:
    """A setting [layer, head] of a model of this size; None for anything else."""
    match setting:
        case [int(layer), int(head)] if 0 <= layer < layers and 0 <= head < heads:
            return layer, head
    return None


def best(grid: "Tensor") -> Head:
    """The head of the highest value."""
    return divmod(int(grid.nan_to_num(-1e9).argmax()), grid.shape[1])


def ramp_end(grid: "Tensor") -> float:
    """Where the ramp ends, for values from 0 to 1."""
    highest = float(grid.nan_to_num(0).max())
    return next((s for s in SCALES if s >= highest), highest)


def share_cells(
    grid: "Tensor", top: float, tips: Callable[[Head], str], percent: bool = True
) -> list[dict[str, Any]]:
    """A cell each: the attention hue, deeper for more; empty where there is no value."""
    return _cells(grid, lambda v: theme.mix(palette().attention, v / top), percent, tips)


def signed_cells(grid: "Tensor", top: float, tips: Callable[[Head], str]) -> list[dict[str, Any]]:
    """A cell each: orange over zero, purple under it."""
    below, _, above = palette().difference

    def colour(value: float) -> str:
        return theme.mix((palette().ground, above if value > 0 else below), abs(value) / top)

    return _cells(grid, colour, True, tips)


def head_map(
    key: str,
    label: str,
    grid: "Tensor",
    cells: list[dict[str, Any]],
    on_pick: Callable[[int, int | None], None],
    legend: dict[str, Any] | None = None,
    marks: dict[str, Iterable[Head]] | None = None,
    whole: str = "",
    room: int = ROOM,
) -> None:
    """The map: a click calls `on_pick(layer, head)`, with no head for a click on a layer's name.

    `marks` are heads by state: "chosen", "best", "lit", "off". Names of layers can be clicked where
    `whole` says what that does. A legend is {"low", "high", "says", "ticks" (0 to 1)}.
    """
    layers, heads = grid.shape
    for state, marked in (marks or {}).items():
        for layer, head in marked:
            cell = cells[layer * heads + head]
            cell["state"] += f" {state}"
            if state == "off":
                cell["text"] = "×"

    def picked() -> None:
        spot = sent(key, "pick")
        if spot is None:
            return
        layer, head = spot["layer"], spot["head"]
        if read_head([layer, head or 0], layers, heads):  # a click may cross a change of model
            on_pick(layer, head)

    data = {"label": label, "layers": layers, "heads": heads, "cells": cells, "room": room}
    data |= {"legend": legend, "whole": whole}
    component("heads/layer_map")(key=key, data=data, on_pick_change=picked)


def legend(
    low: str, high: str, says: str, ticks: Sequence[float] = (), signed: bool = False
) -> dict[str, Any]:
    """The colours from low to high; ticks, from 0 to 1, stand where the words say."""
    p, steps = palette(), [i / STEPS for i in range(STEPS + 1)]
    colours = [theme.mix(p.attention, at) for at in steps]
    if signed:
        below, above = (p.ground, p.difference[0]), (p.ground, p.difference[2])
        colours = [*(theme.mix(below, at) for at in reversed(steps)), *(theme.mix(above, at) for at in steps)]
    return {"low": low, "high": high, "says": says, "ticks": list(ticks), "colours": colours}


def ranking(
    key: str,
    label: str,
    rows: list[dict[str, Any]],
    on_pick: Callable[[int], None],
    heading: str = "",
    tick: float | None = None,
    scale: float = 1.0,
) -> None:
    """Heads in order, {"name", "note", "value", "number", "tip", "chosen"}; a tick crosses every bar."""

    def picked() -> None:
        index = sent(key, "pick")
        if index is not None and index < len(rows):
            on_pick(int(index))

    component("heads/ranking")(
        key=key,
        data={"label": label, "rows": rows, "heading": heading, "tick": tick, "scale": scale},
        on_pick_change=picked,
    )


def arcs(
    key: str,
    label: str,
    tokens: list[dict[str, Any]],
    arcs: list[dict[str, Any]],
    says: str = "",
    hint: str = "",
    head: str = "",
    message: str = "",
    causal: bool = False,
    drawn: Sequence[tuple[int, int]] | None = None,
    on_draw: Callable[[int, int], None] | None = None,
    on_erase: Callable[[int, int], None] | None = None,
) -> None:
    """A sentence with arcs {"from", "to", "weight", "kind"}; with `drawn`, two clicks draw one.

    Kinds: "" for what is asked about, "other", "hit" and "miss" for a right and a wrong answer,
    "wanted" for the answer that was missed.
    """

    def called(event: str, then: Callable[[int, int], None] | None) -> Callable[[], None]:
        def run() -> None:
            spot = st.session_state[key][event]
            if spot is not None and then is not None and max(spot["from"], spot["to"]) < len(tokens):
                then(spot["from"], spot["to"])

        return run

    component("heads/arcs")(
        key=key,
        data={
            "label": label,
            "tokens": tokens,
            "arcs": arcs,
            "drawn": [list(arc) for arc in drawn] if drawn is not None else None,
            "drawing": drawn is not None,
            "says": says,
            "hint": hint,
            "name": head,
            "message": message,
            "above": ABOVE + (BELOW - 16 if causal else 0),
            "below": 16 if causal else BELOW,
        },
        on_draw_change=called("draw", on_draw),
        on_erase_change=called("erase", on_erase),
    )


def percent(value: float) -> str:
    """Whole percents, as in the cells: 87%, −3%."""
    return f"{round(100 * value)}%".replace("-", "−")


def _cells(
    grid: "Tensor", colour: Callable[[float], str], percent: bool, tips: Callable[[Head], str]
) -> list[dict[str, Any]]:
    made = []
    for layer, row in enumerate(grid.tolist()):
        for head, value in enumerate(row):
            known = value == value
            ground = colour(value) if known else "transparent"
            text = f"{100 * value:.0f}" if percent else f"{value:.1f}"
            made.append(
                {
                    "text": ("0" if text == "-0" else text.replace("-", "−")) if known else "",
                    "colour": ground,
                    "ink": theme.text_on(ground) if known else palette().quiet,
                    "tip": tips((layer, head)),
                    "state": "" if known else "empty",
                }
            )
    return made
