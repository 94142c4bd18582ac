"""Overview: the Transformer, ELMo, BERT and GPT as drawings, whose parts lead to the views about them."""

from typing import Any

import streamlit as st

from explorer.views import kit
from explorer.views.frame import moved
from explorer.views.settings.settings import presenting_on
from explorer.views.transformer.overview_parts import DrawnPart, drawings

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
            "The parts",
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
    from explorer.views.transformer.overview_parts import drawings

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
