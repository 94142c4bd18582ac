"""The card: what a model is and was measured at, its learning curves, and published models beside ours."""

import streamlit as st

from explorer.server import memory
from explorer.views.about import curves, families, record, scale_chart
from explorer.views.about.choice import Training
from explorer.views.about.saves import curves_csv, record_csv
from explorer.views.about.settings import MEASURE
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example
from explorer.views.frame.glossary import with_terms
from explorer.views.frame.page import MORE_OF_CARD, TABLES, palette, prose
from explorer.views.frame.polls.poll import Poll, Question
from explorer.views.frame.presenter import for_class
from explorer.views.frame.saving.saving import Export, Picture
from explorer.views.frame.sizes import sizes
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import Reading, view_text
from explorer.views.widgets.controls import menu
from explorer.views.widgets.html_table import html_table

VIEW_TEXT = view_text("models", "card")
SCALE = "scale"  # the measure of published models
FEWEST, MOST = 0.1, 100_000  # million parameters that a class may guess


def controls(page: OpenPage[Training]) -> None:
    """What was measured: of this model by its record, and of published ones beside it."""
    names = [*_curves(page.data), SCALE]
    page.settings.restrict(MEASURE, names)
    titles = {name: curves.title(name) for name in names}
    menu(page.settings, MEASURE, "Measure", titles, label_visibility="collapsed")


def draw(page: OpenPage[Training]) -> Saves:
    """The chart of the measure."""
    training, name = page.data, page.settings[MEASURE]
    if name == SCALE:
        chart(scale_chart.figure(families.accuracy_by_size(), palette()), "models/measured/scale", least=820)
        return [Picture("picture", SCALE), Export("Figures", f"{SCALE}.csv", families.scale_csv)]
    lines, file = _curves(training)[name], f"{training.name}-{name}"
    tokens = [snapshot.tokens for snapshot in training.record.snapshots]
    chart(curves.figure(name, lines, tokens, palette(), for_class()), f"models/curves/{name}", least=820)
    return [
        Picture("picture", file),
        Export("Curves", f"{file}.csv", lambda: curves_csv(lines)),
        Export("All measurements", f"{training.name}-training.csv", lambda: record_csv(training.record)),
    ]


def below(page: OpenPage[Training]) -> None:
    """The figures of published models as a table, with their sources."""
    if page.settings[MEASURE] == SCALE:
        st.html(html_table("rb-figures rb-scale", families.HEADS, families.rows()) + families.cited())


def end(page: OpenPage[Training]) -> None:
    """The card without its heading, the model’s name; its samples and tables can be opened."""
    name = page.data.name
    readable, *tables = TABLES.split(page.data.card, maxsplit=1)
    with st.container(key="models-card"):
        st.header("Model card", anchor=False)
        if not _curves(page.data):
            st.html('<p class="rb-none">No record of its training was kept.</p>')
        prose(f"card/{name}", readable.partition("\n")[2] if readable.startswith("# ") else readable)
        if tables:
            with st.expander(MORE_OF_CARD):
                prose(f"card/{name}/tables", tables[0])


def values_by_curve(name: str, picture: str) -> dict[str, list[tuple[int, float]]]:
    """The curves of one picture of a bundled model's training: for each its (tokens read, value)."""
    from explorer.views.about import curves, record

    training = record.read(name)
    lines = curves.pictures(training)[picture] if training else []
    return {line.name: line.values for line in lines}


def example(page: OpenPage[Training]) -> Example:
    """The values of the chart from Python."""
    if page.settings[MEASURE] == SCALE:
        return Example(families.accuracy_by_size)
    return Example(values_by_curve, name=page.data.name, picture=page.settings[MEASURE])


def asks(page: OpenPage[Training]) -> list[Poll]:
    """How many parameters the model has."""
    name = page.data.name
    text = f"How many million parameters does {memory.short_label(name)} have?"
    millions = sizes(record.folder(name)).parameters / 1e6
    return [Poll(Question("number", text, low=FEWEST, high=MOST, unit=1e6), truth=f"{millions:.3g}")]


def _reading(page: OpenPage[Training]) -> Reading:
    return VIEW_TEXT.readings.get(page.settings[MEASURE], VIEW_TEXT.reading)


def _now(page: OpenPage[Training]) -> str:
    return with_terms(VIEW_TEXT.phrases[SCALE]) if page.settings[MEASURE] == SCALE else ""


def _curves(training: Training) -> dict[str, list[curves.Line]]:
    log = training.stored_record
    return curves.pictures(log, training.card) if log else {}


VIEW = View(
    text=VIEW_TEXT,
    settings=(MEASURE,),
    controls=controls,
    draw=draw,
    below=below,
    reading=_reading,
    example=example,
    asks=asks,
    now=_now,
)
