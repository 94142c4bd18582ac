"""The strongest heads and MLPs as bars, and where else in the app a head can be looked at."""

import json
from typing import Any

from explorer.locale import _, format_with
from explorer.views import kit
from explorer.views.types import LanguageModel, Tensor
from explorer.views.why.settings import MODEL, PART
from explorer.views.widgets.layer_chart import two_decimals
from explorer.views.widgets.layer_names import layer_and_head
from explorer.views.widgets.ranking import ranking

LISTED = 5
NetworkPart = tuple[int, int]  # layer and head; the number after the last head is the MLP's


def parts(heads: "Tensor", mlp: "Tensor") -> dict[NetworkPart, float]:
    """A value for every head and MLP; those that are not known yet are left out."""
    values = {divmod(i, heads.shape[1]): value for i, value in enumerate(heads.flatten().tolist())}
    values |= {(layer, heads.shape[1]): value for layer, value in enumerate(mlp.tolist())}
    return {part: value for part, value in values.items() if value == value}


def strongest(values: dict[NetworkPart, float]) -> list[NetworkPart]:
    """The parts with the largest values, of either sign; for a class those that add most."""
    size = (lambda value: value) if kit.for_class() else abs
    return sorted(values, key=lambda part: -size(values[part]))[:LISTED]


def part_name(part: NetworkPart, heads: int) -> str:
    """The name of a part on screen: L24H5, or L24 MLP; for a class layer 24, head 5, or rest of layer 24."""
    layer, head = part
    if kit.for_class():
        return _("rest of layer {number}", number=layer + 1) if head == heads else layer_and_head(layer, head)
    return f"L{layer + 1} MLP" if head == heads else kit.head_name(layer, head)


def read_part(setting: Any, layers: int, heads: int) -> NetworkPart | None:
    """A setting [layer, head] as a part of a model of this size; None for anything else."""
    return kit.read_head(setting, layers, heads + 1)


def draw(
    settings: kit.Settings,
    values: dict[NetworkPart, float],
    heads: int,
    chosen: NetworkPart | None,
    key: str,
    heading: str,
    whole: float | None = None,
) -> None:
    """Draw the strongest parts as bars of either sign; a click chooses one. For `whole` see `rows`."""
    listed = strongest(values)
    pick = lambda at: settings.set(PART.to(list(listed[at])))  # noqa: E731
    ranking(key, heading, rows(values, heads, chosen, whole), pick, heading, None, scale(values), True)


def scale(values: dict[NetworkPart, float]) -> float:
    """The value of a full bar."""
    return max([1e-9, *(abs(value) for value in values.values())])


def rows(
    values: dict[NetworkPart, float],
    heads: int,
    chosen: NetworkPart | None = None,
    whole: float | None = None,
) -> list[dict[str, Any]]:
    """The rows of the strongest parts; their numbers are per cent of a `whole` if there is one."""
    numbers = {part: format_with(value, ".4f") for part, value in values.items()}
    return [
        {
            "name": part_name(part, heads),
            "note": "",
            "value": values[part],
            "number": two_decimals(values[part])
            if whole is None
            else kit.whole_percent(values[part] / whole),
            "tip": _("{part}: {number}", part=part_name(part, heads), number=numbers[part]),
            "chosen": part == chosen,
        }
        for part in strongest(values)
    ]


def links(
    settings: kit.Settings, model: "LanguageModel", part: NetworkPart, text: str, token: tuple[int, str]
) -> None:
    """Links to a head on Attention, with the token that reads, and to the same text without that head."""
    layer, head = part
    if head == model.config.heads:
        return
    name, shared = kit.head_name(layer, head), {"model": settings[MODEL], "text": text}
    chosen = json.dumps(["from", *token])
    kit.navigation.link(
        "attention",
        _("What {head} looks at here", head=name),
        layer=str(layer),
        head=str(head),
        token=chosen,
        **shared,
    )
    off = json.dumps([[layer, head]])
    without = _("The answer without {head}", head=name)
    kit.navigation.link("heads", without, view="off", off=off, blank="-1", **shared)
