"""The parts of the overview: what each drawing is made of, and which view explains a part."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from explorer import assets


class DrawnPart(NamedTuple):
    """A part of a drawing: its name, what it does, its kind, and the view that explains it.

    The kind (attention, forward, norm, base or output) decides how it is drawn.
    """

    name: str
    does: str
    kind: str
    page: str
    link: dict[str, str]


def drawings() -> list[dict[str, Any]]:
    """The drawings from left to right, with the sizes of the bundled models."""
    stored = assets.table(assets.TEXTS / "overview.toml")
    return [_drawing(stored["part"], **one) for one in stored["drawing"]]


def _drawing(parts: Mapping[str, Any], name: str, size: str, **rest: Any) -> dict[str, Any]:
    own_link = rest.pop("link", {})

    def part(key: str) -> DrawnPart:
        stored = parts[key]
        link = stored.get("link", {})
        page = stored.get("page", "transformer")
        if "step" in link:
            link = link | own_link
        return DrawnPart(stored["name"], stored["does"], stored["kind"], page, link)

    layers, heads = (rest["layers"], 0) if "layers" in rest else _sizes(name)
    return rest | {
        "name": name,
        "size": size.format(layers=layers, heads=heads),
        "layers": layers,
        "base": [part(key) for key in rest["base"]],
        "block": [part(key) for key in rest["block"]],
        "output": part(rest["output"]) if "output" in rest else None,
    }


def _sizes(name: str) -> tuple[int, int]:
    """The layers and heads of a bundled model, from its configuration."""
    config = assets.data(assets.CHECKPOINTS / name / "config.json")
    layers = config.get("num_hidden_layers", config.get("n_layer"))
    return layers, config.get("num_attention_heads", config.get("n_head", 0))
