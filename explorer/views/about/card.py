"""The card: what a model is and was measured at, its learning curves, and published models beside ours."""

import streamlit as st

from explorer.locale import ENGLISH, N_, _, language
from explorer.views import kit
from explorer.views.about import curves, families, record
from explorer.views.about.choice import Training
from explorer.views.about.saves import curves_csv, record_csv
from explorer.views.about.settings import MEASURE
from explorer.views.frame.glossary import with_terms
from explorer.views.frame.page import MORE_OF_CARD, TABLES, prose
from explorer.views.frame.sizes import sizes

VIEW_TEXT = kit.view_text("models", "card")
SCALE = "scale"  # the measure of published models
FEWEST, MOST = 0.1, 100_000  # million parameters that a class may guess


def controls(page: kit.OpenPage[Training]) -> None:
    """What was measured: of this model by its record, and of published ones beside it."""
    names = [*_curves(page.data), SCALE]
    page.settings.restrict(MEASURE, names)
    titles = {name: curves.title(name) for name in names}
    kit.menu(page.settings, MEASURE, _("Measure"), titles, label_visibility="collapsed")


def draw(page: kit.OpenPage[Training]) -> kit.Saves:
    """The chart of the measure."""
    training, name = page.data, page.settings[MEASURE]
    if name == SCALE:
        kit.chart(
            families.figure(families.accuracy_by_size(), kit.palette()), "models/measured/scale", least=820
        )
        return [kit.Picture("picture", SCALE), kit.Export(N_("Figures"), f"{SCALE}.csv", families.scale_csv)]
    lines, file = _curves(training)[name], f"{training.name}-{name}"
    every = f"{training.name}-training.csv"
    tokens = [snapshot.tokens for snapshot in training.record.snapshots]
    kit.chart(
        curves.figure(name, lines, tokens, kit.palette(), kit.for_class()), f"models/curves/{name}", least=820
    )
    return [
        kit.Picture("picture", file),
        kit.Export(N_("Curves"), f"{file}.csv", lambda: curves_csv(lines)),
        kit.Export(N_("All measurements"), every, lambda: record_csv(training.record)),
    ]


def below(page: kit.OpenPage[Training]) -> None:
    """The figures of published models as a table, with their sources."""
    if page.settings[MEASURE] == SCALE:
        heads = [_(head) for head in families.HEADS]
        st.html(kit.html_table("rb-figures rb-scale", heads, families.rows()) + families.cited())


def end(page: kit.OpenPage[Training]) -> None:
    """The card without its heading, the model’s name; its samples and tables can be opened."""
    name = page.data.name
    readable, *tables = TABLES.split(page.data.card, maxsplit=1)
    with st.container(key="models-card"):
        st.header(_("Model card"), anchor=False)
        if language() != ENGLISH:
            st.html(f'<p class="rb-note">{_("This card is in English.")}</p>')
        if not _curves(page.data):
            st.html(f'<p class="rb-none">{_("No record of its training was kept.")}</p>')
        prose(f"card/{name}", readable.partition("\n")[2] if readable.startswith("# ") else readable)
        if tables:
            with st.expander(_(MORE_OF_CARD)):
                prose(f"card/{name}/tables", tables[0])


def values_by_curve(name: str, picture: str) -> dict[str, list[tuple[int, float]]]:
    """The curves of one picture of a bundled model's training: for each its (tokens read, value)."""
    from explorer.views.about import curves, record

    training = record.read(name)
    lines = curves.pictures(training)[picture] if training else []
    return {line.name: line.values for line in lines}


def example(page: kit.OpenPage[Training]) -> kit.Example:
    """The values of the chart from Python."""
    if page.settings[MEASURE] == SCALE:
        return kit.Example(families.accuracy_by_size)
    return kit.Example(values_by_curve, name=page.data.name, picture=page.settings[MEASURE])


def asks(page: kit.OpenPage[Training]) -> list[kit.Poll]:
    """How many parameters the model has."""
    name = page.data.name
    text = _("How many million parameters does {model} have?", model=kit.memory.short_label(name))
    millions = sizes(record.folder(name)).parameters / 1e6
    return [kit.Poll(kit.Question("number", text, low=FEWEST, high=MOST, unit=1e6), truth=f"{millions:.3g}")]


def _curves(training: Training) -> dict[str, list[curves.Line]]:
    log = training.stored_record
    return curves.pictures(log, training.card) if log else {}


VIEW = kit.View(
    text=VIEW_TEXT.of_page(
        reading=lambda page: VIEW_TEXT.readings.get(page.settings[MEASURE], VIEW_TEXT.reading),
        change=lambda page: with_terms(VIEW_TEXT.phrases[SCALE]) if page.settings[MEASURE] == SCALE else "",
    ),
    settings=(MEASURE,),
    controls=controls,
    picture=draw,
    footer=below,
    example=example,
    stage=kit.Stage(desk=".st-key-models-measure", polls=asks),
)
