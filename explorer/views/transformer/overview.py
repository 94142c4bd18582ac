"""Overview: the Transformer, ELMo, BERT and GPT as drawings, whose parts lead to the views about them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from explorer import assets
from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.frame import moved
from explorer.views.settings.settings import presenting_on


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
    return [_drawing(stored["part"], name, **one) for name, one in stored["drawing"].items()]


def _drawing(parts: Mapping[str, Any], name: str, size: str, **rest: Any) -> dict[str, Any]:
    own_link = rest.pop("link", {})

    def part(key: str) -> DrawnPart:
        stored = parts[key]
        link = stored.get("link", {})
        page = stored.get("page", "transformer")
        if "step" in link:
            link = link | own_link
        return DrawnPart(_(stored["name"]), _(stored["does"]), stored["kind"], page, link)

    layers, heads = (rest["layers"], 0) if "layers" in rest else _sizes(name)
    return rest | {
        "name": name,
        "title": _(rest["title"]),
        "size": _(size, layers=layers, heads=heads),
        "input": _(rest["input"]),
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


KEY = "transformer/overview"
GOING = kit.Session[tuple[str, dict[str, str]] | None]("transformer/going", None)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The drawings; a click on a part opens the view that explains it."""
    columns = drawings()
    _arrive()
    kit.component("transformer/overview")(
        key=KEY, data={"drawings": columns}, on_open_change=lambda: _open(page.settings, columns)
    )
    return [
        kit.Picture("picture", "overview"),
        kit.Export(
            N_("The parts"),
            "overview.csv",
            lambda: kit.table(["drawing", "part", "what it does"], _rows(columns)),
        ),
    ]


def parts_of(drawing: dict[str, Any]) -> list[DrawnPart]:
    """The parts of a drawing, from the words upwards."""
    output = [drawing["output"]] if drawing["output"] else []
    return [*drawing["base"], *drawing["block"], *output]


def _open(settings: kit.Settings, columns: list[dict[str, Any]]) -> None:
    """Go to the view of a part that was clicked: on this page at once, on another in the run that follows."""
    places = [(column, range(len(parts_of(drawing)))) for column, drawing in enumerate(columns)]
    match kit.component_value(KEY, "open", places):
        case [column, number]:
            part = parts_of(columns[column])[number]
            page, link = moved.resolve(part.page, part.link)
            if page == settings.page:
                settings.accept({name: _value(settings, name, value) for name, value in link.items()})
            else:
                GOING.set((page, link))


def _value(settings: kit.Settings, name: str, value: str) -> Any:
    return value if isinstance(settings.defaults[name], str) else int(value)


def _arrive() -> None:
    """Open the other page that a click asked for."""
    destination = GOING.take()
    if destination is not None and kit.navigation.FRAMED.get():
        page, link = destination
        st.switch_page(kit.navigation.find(page).path, query_params=presenting_on() | link)


def sizes() -> dict[str, str]:
    """The size of each model, as in the drawings."""
    from explorer.views.transformer.overview import drawings

    return {drawing["title"]: drawing["size"] for drawing in drawings()}


def _rows(columns: list[dict[str, Any]]) -> list[list[str]]:
    return [[drawing["title"], part.name, part.does] for drawing in columns for part in parts_of(drawing)]


VIEW = kit.View(
    text=kit.view_text("transformer", "overview"),
    picture=draw,
    example=lambda page: kit.Example(sizes),
    stage=kit.Stage(
        covered=(".decoder, .wire, .tip, .drawings > g > .words", ".bert", ".gpt", ".elmo"),
        desk=".says",
        covers_most=True,
    ),
)
