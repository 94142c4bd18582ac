"""The word senses page's parts around the map: the word, its sentences, the matrix, the code."""

from typing import TYPE_CHECKING

import streamlit as st

from explorer.errors import TextError
from explorer.views import own_text_panel
from explorer.views.charts import senses as charts
from explorer.views.components import component, text_box
from explorer.views.frame import palette, show_error
from explorer.views.look import ALONE, Look
from explorer.views.presets import senses as presets
from explorer.views.sense_map import MAP_PX
from explorer.views.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel


def word_box(settings: Settings) -> None:
    """The word, and our own examples."""
    with st.container(key="senses/word", horizontal=True, vertical_alignment="center", gap="small"):
        text_box(settings, "word", "The word", "A word")
        _chooser(settings)


def sentences_box(settings: Settings) -> None:
    """The sentences, and how to write a sense."""
    text_box(settings, "text", "Sentences, one a line", "One sentence a line", lines=11)
    with st.container(key="senses/hint", horizontal=True, vertical_alignment="center", gap="small"):
        st.html('<p class="rb-point">One a line, with its #sense.</p>')
        own_text_panel.door(settings)


def problem(error: TextError) -> None:
    """What is wrong with the word or the sentences, in the place that the map keeps."""
    with st.container(height=MAP_PX, border=False):
        show_error(error)


def matrix(settings: Settings, seen: Look) -> None:
    """Every cosine, folded away; nothing is computed before it is opened."""
    import torch.nn.functional as F

    with st.expander("Cosine matrix", key="senses/matrix", on_change="rerun") as fold:
        if fold.open:
            unit = F.normalize(seen.at(settings["layer"]), dim=-1)
            figure = charts.matrix(seen, unit @ unit.T, palette())
            st.plotly_chart(figure, theme=None, key="senses/heat", config={"displayModeBar": False})


def how_to_read(settings: Settings, seen: Look | None) -> str:
    """What colours and nearness mean."""
    if seen is not None and any(seen.senses) and settings["senses"]:
        given = "that your text gives" if settings["own"] else "you wrote after #"
        return (
            f"Colour and shape are the sense {given}, which the model never sees. "
            "Where dots of one sense gather, the model keeps that sense apart."
        )
    return (
        "Colour and shape are groups that the model's own vectors fall into; the words beside them are "
        "those that set a group's sentences apart."
    )


def caveat(model: "LanguageModel") -> str:
    """What the map cannot show, and what the model cannot see."""
    from explorer.trace import Ability

    said = (
        f"No picture shows {model.config.d_model} dimensions: near on the map is a hint, a far dot no proof; "
        "the cosines in the list and the matrix are the model's own."
    )
    if Ability.GENERATE in model.abilities:
        said += " This model reads from left to right: a dot knows only the words before it."
    return said


def code(settings: Settings) -> str:
    """The page's numbers from Python, with the settings as they are."""
    lines = "\n".join(f"    {line!r}," for line in settings["text"].splitlines())
    alone, method, axes = settings["layer"] == ALONE, settings["projection"], settings["axes"]
    vectors = "senses.alone(model, texts, found)" if alone else f"found.vectors[:, {settings['layer']}]"
    if method == "lda":
        picture = f"""if parted := discriminant.discriminant(vectors, known, axes={axes}):
    print(parted.coordinates, parted.accuracy, parted.shuffled)"""
    else:
        picture = f"print(projection.project(vectors, {method!r}, axes={axes}).coordinates)"
    return f"""import explorer
from explorer.analysis import {"discriminant" if method == "lda" else "projection"}, senses

model = explorer.load({settings["model"]!r})
lines = [
{lines}
]
sentences = senses.read_sentences("\\n".join(lines))
texts = [s.text for s in sentences]
found = senses.occurrences(model, texts, {settings["word"].strip()!r})
known = senses.senses_of(found, sentences)

vectors = {vectors}
{picture}
if separation := senses.separation(found, known):
    print(separation.accuracy, separation.best_layer)"""


def _chooser(settings: Settings) -> None:
    """Our own words to look through, and which of their sentences to take."""
    key = "senses/library"

    def take() -> None:
        if (word := st.session_state[key].word) in presets.library():
            settings.set(word=word, text=presets.sentences(word, settings["kind"]), locked="")

    def change() -> None:
        if (kind := st.session_state[key].kind) not in presets.KINDS:
            return
        settings.set(kind=kind)
        word = settings["word"].strip()
        ours = [presets.sentences(word, k) for k in presets.KINDS] if word in presets.library() else []
        if settings["text"] in [*ours, presets.DEFAULTS["text"]]:  # never over sentences of the visitor's own
            settings.set(text=presets.sentences(word, kind), locked="")

    component("word_chooser")(
        key=key,
        data={
            "label": "Examples",
            "question": "Which sentences",
            "words": [{"word": word, "senses": senses} for word, senses in presets.library().items()],
            "chosen": settings["word"].strip(),
            "kinds": [{"name": name, "label": label} for name, label in presets.KINDS.items()],
            "kind": settings["kind"] if settings["kind"] in presets.KINDS else presets.FEW,
        },
        width="content",
        on_word_change=take,
        on_kind_change=change,
    )
