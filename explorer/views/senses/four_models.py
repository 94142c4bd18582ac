"""One word, four models: the same sentences on four small maps, side by side.

Static, every model has the word's own vector, and one dot; in context a cloud each, as far as the
model reads: word2vec nothing, ELMo and BERT both sides, GPT what comes before.
"""

import time
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views.frame import memory
from explorer.views.frame.saving import Export, offer
from explorer.views.frame.settings import Settings
from explorer.views.senses import four_maps, from_python, by_model
from explorer.views.senses.four_models_presets import PRESETS
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences
from explorer.views.widgets import marks as charts
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from explorer.models import LanguageModel

__all__ = ["DEFAULTS", "PRESETS", "WIDE", "code", "controls", "draw", "how"]

WIDE = True
DEFAULTS: dict[str, Any] = {"static": False, "depth": "best"}
MODELS = ("word2vec", "elmo", "bert", "gpt")
STATES = {True: "Static", False: "In context"}
DEPTHS = {"best": "Best layer", "last": "Last layer"}
MOST = 300  # dots of one map, each an element of the page
PATIENCE_S = 0.15  # after which the page says what it is waiting for
STYLE = (
    ".st-key-four-models { position: relative; }"
    ".st-key-four-busy { position: absolute; top: 0; right: 0; width: auto; }"
)


@dataclass(frozen=True, eq=False)
class Seen:
    """One model's look at the sentences, or why it has none."""

    name: str
    look: WordOccurrences | None = None
    problem: str = ""


def controls(settings: Settings, occurrences: WordOccurrences | None) -> None:
    """Static or in context, and at which layer."""
    if settings["depth"] not in DEPTHS:
        settings.set(depth="best")
    with st.container(key="four-controls", horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Vectors", list(STATES), key=settings.key("static"), format_func=STATES.get,
            required=True, label_visibility="collapsed",
        )  # fmt: skip
        if occurrences is None or occurrences.separation is not None:
            st.segmented_control(
                "Layer", list(DEPTHS), key=settings.key("depth"), format_func=DEPTHS.get,
                required=True, label_visibility="collapsed", disabled=settings["static"],
            )  # fmt: skip


def draw(settings: Settings, occurrences: WordOccurrences) -> None:
    """The four maps, what they say of a sentence, and how much of it each model has read."""
    with st.container(key="four-models", gap=None):
        st.html(f"<style>{STYLE}</style>")
        busy = st.container(key="four-busy").empty()
        _draw(settings, occurrences, busy)


def _draw(settings: Settings, occurrences: WordOccurrences, busy: "DeltaGenerator") -> None:
    looks, started = [], time.monotonic()
    for name in MODELS:
        if time.monotonic() - started > PATIENCE_S:
            busy.html(f'<p class="rb-point">{memory.short_label(name)} reads the sentences…</p>')
        looks.append(_look(settings, name))
    names = charts.order(occurrences.senses)
    panels = four_maps.panels([(one.name, one.look, one.problem) for one in looks], settings["depth"], MOST)
    offer(
        settings,
        Export("The four maps", f"{occurrences.word}-four-memory.csv", lambda: four_maps.coordinates(panels)),
    )
    key = "senses/four"

    def lock() -> None:
        if (chosen := st.session_state[key].lock) is not None:
            settings.set(locked=chosen)

    def open_map() -> None:
        if (name := st.session_state[key].open) in MODELS:
            layer = next(panel["stop"] for panel in panels if panel["name"] == name)
            settings.set(model=name, view="map", layer=layer if layer is not None else ALONE)

    busy.empty()
    component("senses/four_maps")(
        key=key,
        data={
            "label": f"Four models on {occurrences.word}",
            "panels": panels,
            "marks": [*({"text": name, **charts.mark(i)} for i, name in enumerate(names))],
            "unknown": charts.mark(None),
            "static": settings["static"],
            "locked": settings["locked"],
            "hint": "Point at a dot: its sentence lights up in all four; the words that its model has not "
            "read are pale.",
        },
        on_lock_change=lock,
        on_open_change=open_map,
    )
    if len(occurrences.found) > MOST:
        st.html(f'<p class="rb-quiet" style="margin:0">The first {MOST} of {len(occurrences.found):,} dots.</p>')
    if occurrences.notes:
        st.html(f'<p class="rb-quiet" style="margin:0">{escape(" ".join(occurrences.notes))}</p>')


def how(settings: Settings, occurrences: WordOccurrences | None, model: "LanguageModel") -> tuple[str, str]:
    """What the four have in common, and what their pictures cannot say."""
    if settings["static"]:
        said = (
            "Before a sentence is read, each model has one vector for the word: one dot stands for all "
            "sentences and all senses."
        )
    else:
        said = (
            "The same sentences in four models. A model can only part what it has read: word2vec reads the "
            "word, GPT what comes before it, ELMo and BERT both sides."
        )
    judged = (
        "Right is leave-one-out nearest centroid by cosine, not the picture. "
        if occurrences is None or occurrences.separation is not None
        else ""
    )
    peeked = "The best layer was chosen by that same figure. " if settings["depth"] == "best" else ""
    return said, judged + peeked + "Each map has a scale of its own; the models differ in size and training."


def code(settings: Settings) -> str:
    """The four figures from Python."""
    _, _, rest = from_python.occurrences(settings).partition("\n")  # its first line loads the page's model
    one = "\n".join(f"    {line}" for line in ("model = explorer.load(name)", *rest.splitlines()))
    return f"""import explorer
from explorer.analysis import senses
from explorer.analysis.senses import separation
from explorer.analysis.senses.duplicates import duplicates

for name in {MODELS!r}:
{one}
    apart = separation.separation(found.vectors, known)
    print(name, len(duplicates(found.vectors[:, -1])), apart and apart.accuracy)"""


def _look(settings: Settings, name: str) -> Seen:
    """A model's look at the page's sentences; what one cannot read leaves the others their maps."""
    try:
        return Seen(name, by_model.read(settings, name))
    except ExplorerError as error:
        return Seen(name, problem=f"{error.message} {error.hint}".strip())
