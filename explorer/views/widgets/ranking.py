"""Heads, or other parts of a network, in order, each with a bar."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.views.widgets.registry import component, component_value


def ranking(
    key: str,
    label: str,
    rows: Sequence[dict[str, Any]],
    on_pick: Callable[[int], None],
    heading: str = "",
    tick: float | None = None,
    scale: float = 1.0,
    signed: bool = False,
) -> None:
    """Draw rows {"name", "note", "value", "number", "tip", "chosen"}; a click calls `on_pick(index)`.

    `tick` is a value that is marked on every bar, and `scale` the value of a full bar. If `signed`, bars have
    the colours of more and of less.
    """

    def pick() -> None:
        index = component_value(key, "pick", range(len(rows)))
        if index is not None:
            on_pick(index)

    data = ranking_data(label, rows, heading, tick, scale, signed)
    component("widgets/ranking")(key=key, data=data, on_pick_change=pick)


def ranking_data(
    label: str,
    rows: Sequence[dict[str, Any]],
    heading: str = "",
    tick: float | None = None,
    scale: float = 1.0,
    signed: bool = False,
) -> dict[str, Any]:
    """What the component draws of rows as `ranking` takes them."""
    names = {"label": label, "heading": heading, "tick": tick, "scale": scale, "signed": signed}
    return names | {"rows": list(rows)}
