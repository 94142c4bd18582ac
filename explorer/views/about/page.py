"""The parts of the page about the models: the facts, what was expected when, the curves, the card."""

from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.errors import FormatError, NotFoundError
from explorer.views.about import facts, milestones, record
from explorer.views.about.record import Record, count, duration
from explorer.views.frame import blocklist
from explorer.views.frame.memory import short_label
from explorer.views.frame.page import Preset, palette, show_error
from explorer.views.frame.settings import Settings
from explorer.views.widgets import curves
from explorer.views.widgets.registry import component

END = -1  # the setting `point` at the end of the training
PREDICTED, WRITTEN = "predicted", "written"
VIEWS = {PREDICTED: "What it expected", WRITTEN: "What it wrote"}
COSINE, NEAR = "cosine", "What lay near"
CSS = Path(__file__).with_name("page.css")


def check(settings: Settings) -> str:
    """The chosen checkpoint. Raises NotFoundError for one that does not ship with Riverbank."""
    name = settings["model"]
    if name not in facts.names():
        raise NotFoundError(
            f"“{name}” does not ship with Riverbank.",
            f"This page tells of {', '.join(facts.names())}: choose one above.",
        )
    return name


def facts_strip(name: str, kept: Record | None) -> None:
    """One line of sizes, and what the training began with."""
    known = facts.facts(record.CHECKPOINTS / name)
    rows = [("parameters", count(known.parameters))]
    if known.layers and known.width:
        rows.append(("layers × width", f"{known.layers} × {known.width}"))
    if known.heads:
        rows.append(("heads", f"{known.heads}"))
    if known.vocabulary:
        rows.append(("vocabulary", f"{known.vocabulary:,}"))
    rows.append(("weights", f"{known.file_bytes / 1e6:.3g} MB"))
    if kept:
        rows += [("tokens read", count(kept.last.tokens)), ("training", duration(kept.last.seconds))]
    began, line = facts.origin(facts.card(name))
    said = f'<div><dt>{escape(line)}</dt><dd class="rb-said">trained weights, {escape(began)}</dd></div>'
    sizes = "".join(f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in rows)
    st.html(f'<style>{_css()}</style><dl class="rb-facts">{sizes}{said if began else ""}</dl>')


def training(name: str) -> Record | None:
    """The record of a training, or None, with its reason shown where it cannot be read."""
    try:
        return record.read(name)
    except FormatError as error:
        show_error(error)
        return None


def views(kept: Record, card: str) -> dict[str, str]:
    """The pictures that a record has, with their names, in the order in which one looks at them."""
    found = {}
    if kept.last.guesses:
        found[PREDICTED] = NEAR if kept.numbers == COSINE else VIEWS[PREDICTED]
    if kept.last.continuations:
        found[WRITTEN] = VIEWS[WRITTEN]
    return found | {key: curves.title(key) for key in curves.pictures(kept, card)}


def fit(settings: Settings, kept: Record, known: dict[str, str]) -> None:
    """Bring settings that this record cannot have to the nearest that it has."""
    if known and settings["view"] not in known:
        settings.set(view=next(iter(known)))
    settings.set(sentence=min(max(settings["sentence"], 0), max(len(kept.sentences) - 1, 0)))
    if not END <= settings["point"] < len(kept.points) - 1:
        settings.set(point=END)


def controls(settings: Settings, kept: Record, known: dict[str, str]) -> None:
    """Which picture, and which sentence."""
    with st.container(key="models-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        st.segmented_control(
            "Picture", list(known), key=settings.key("view"), required=True,
            format_func=lambda view: known.get(view, view), label_visibility="collapsed",
        )  # fmt: skip
        if settings["view"] in VIEWS and len(kept.sentences) > 1:
            st.selectbox(
                "Sentence", range(len(kept.sentences)), key=settings.key("sentence"),
                format_func=lambda i: kept.sentences[i] if i < len(kept.sentences) else "",
                label_visibility="collapsed",
            )  # fmt: skip


def draw(settings: Settings, name: str, kept: Record, card: str) -> None:
    """The chosen picture."""
    view = settings["view"]
    if view == PREDICTED:
        _expected(settings, name, kept)
    elif view == WRITTEN:
        _written(settings, name, kept)
    else:
        lines = curves.pictures(kept, card)[view]
        figure = curves.figure(view, lines, [point.tokens for point in kept.points], palette())
        st.plotly_chart(figure, theme=None, key=f"models/curves/{view}", config={"displayModeBar": False})


def nothing_kept(name: str) -> None:
    """In the place of the picture where there is no record."""
    st.html(
        f'<p class="rb-none">No record of the training of {escape(short_label(name))} was kept.<br>'
        "Its card, below, says what is known.</p>"
    )


def how(view: str, kept: Record) -> tuple[str, str]:
    """How to read a picture, and what it cannot say."""
    if view == PREDICTED and kept.numbers == COSINE:
        return (
            "A column is a moment of the training, the latest on the right: the five words whose vectors "
            "then lay nearest to the word's, with their cosines. One is traced through all columns; hover "
            "or click traces another.",
            "A few words are an anecdote, not a measure: the curves count thousands of questions.",
        )
    if view == PREDICTED:
        return (
            "A column is a moment of the training, the latest on the right: the five tokens that the model "
            "then found likeliest. One is traced through all columns; hover or click traces another.",
            "A few sentences are an anecdote, not a measure: the curves count thousands of words.",
        )
    if view == WRITTEN:
        return (
            "A line is a moment of the training, the latest at the bottom: the model goes on from the same "
            "beginning, with the same seed.",
            "Another seed would give other texts.",
        )
    if view == curves.LOSS:
        return (
            "How badly the model guessed the words it was asked for, against the text it had read so far. "
            "The axis is logarithmic: equal steps multiply the text.",
            "The training loss is smoothed, and may hold more than the guessing: the card says what.",
        )
    return (
        "Measured at each point of the training on text that the model never learnt from. The axis is "
        "logarithmic: equal steps multiply the text.",
        "The card says how each is measured." if view == curves.SHARE else "",
    )


def presets() -> list[Preset]:
    """Those whose model has a record to look at."""
    from explorer.views.about.presets import DEFAULTS, PRESETS

    kept = {name: (record.CHECKPOINTS / name / record.FILE).exists() for name in facts.names()}
    return [p for p in PRESETS if kept.get(p.values.get("model", DEFAULTS["model"]))]


def show_card(card: str) -> None:
    """The card, without its first heading, which is the model's name."""
    with st.container(key="models-card"):
        st.header("Its card", anchor=False)
        st.markdown(card.partition("\n")[2] if card.startswith("# ") else card)


def code(name: str) -> str:
    """The record from Python."""
    return f"""import json
from pathlib import Path

record = json.loads(Path("assets/checkpoints/{name}/training.json").read_text())
for point in record["points"]:
    print(point["tokens"], point["figures"])
    for sentence, guesses in zip(record["sentences"], point["predictions"]):
        print("   ", sentence, guesses)"""


def _expected(settings: Settings, name: str, kept: Record) -> None:
    key, sentence = "models/milestones", settings["sentence"]
    table = milestones.table(kept, sentence, blocklist.over(name))
    held = next((i for i, w in enumerate(table["words"]) if w["token"] == settings["word"]), -1)

    def trace() -> None:
        if (word := st.session_state[key].word) is not None:
            settings.set(word=word)

    component("about/milestones")(
        key=key,
        data={
            **table,
            "shown": f"{name}/{sentence}",
            "label": "The first guesses at each point of the training",
            "point": _point(settings, kept),
            "held": held,
        },
        on_point_change=_choose(settings, key, kept),
        on_word_change=trace,
    )


def _written(settings: Settings, name: str, kept: Record) -> None:
    key, sentence = "models/drafts", settings["sentence"]
    component("about/drafts")(
        key=key,
        data={
            "rows": milestones.texts(kept, sentence, blocklist.over(name)),
            "prompt": kept.sentences[sentence],
            "shown": f"{name}/{sentence}",
            "label": "What the model wrote at each point of the training",
            "point": _point(settings, kept),
        },
        on_point_change=_choose(settings, key, kept),
    )


def _point(settings: Settings, kept: Record) -> int:
    return len(kept.points) - 1 if settings["point"] == END else settings["point"]


def _choose(settings: Settings, key: str, kept: Record) -> Any:
    def choose() -> None:
        if (point := st.session_state[key].point) is not None:
            settings.set(point=END if int(point) >= len(kept.points) - 1 else max(int(point), 0))

    return choose


@cache
def _css() -> str:
    return CSS.read_text(encoding="utf-8")
