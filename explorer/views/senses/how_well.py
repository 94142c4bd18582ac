"""How well: what each layer of every model knows of the senses, beside readers who see the topic alone.

Below, how alike a word's vectors are at all, less what any two words are (Ethayarajh 2019).
"""

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.page import Preset, palette
from explorer.views.frame.saving import Export, Picture, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.senses import curves
from explorer.views.senses import from_python, by_model
from explorer.views.senses import layer_chart as charts
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.senses.presets import ALL, PAIRS, sentences

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.models import LanguageModel

MEASURES = {"macro_f1": "Macro-F1", "silhouette": "Silhouette", "rand": "Rand index"}
SAYS = {
    "macro_f1": "nearest centroid, leave one out: macro-F1",
    "silhouette": "mean silhouette by cosine, −1 to 1",
    "rand": "k-means against the senses: adjusted Rand index",
}
ALIKE = {
    "self_similarity": "Self-similarity",
    "intra_sentence": "Intra-sentence similarity",
    "explainable_variance": "Maximum explainable variance",
}
DEFAULTS: dict[str, Any] = {"measure": "macro_f1", "adjusted": True}
PRESETS = [
    Preset(
        "Layer by layer",
        "BERT climbs out of its embedding; GPT has read the left side alone and stays behind.",
        {"view": "well"},
    ),
    Preset(
        "Or is it the topic?",
        "On all our sentences the mean of the other words’ word2vec comes about as far as BERT.",
        {"view": "well", "kind": ALL, "text": sentences("bank", ALL)},
    ),
    Preset(
        "Minimal pairs",
        "Where both senses share a topic, its readers fall below chance, and our models hardly rise above.",
        {"view": "well", "kind": PAIRS, "text": sentences("bank", PAIRS)},
    ),
]


def controls(settings: Settings, occurrences: WordOccurrences | None) -> None:
    """Which judge."""
    if settings["measure"] not in MEASURES:
        settings.set(measure="macro_f1")
    st.segmented_control(
        "Measure", list(MEASURES), key=settings.key("measure"), format_func=MEASURES.get,
        required=True, label_visibility="collapsed",
    )  # fmt: skip


def draw(settings: Settings, occurrences: WordOccurrences) -> None:
    """The curves, with the three lines of the readers who know less."""
    measure = settings["measure"]
    with st.container(key="senses-curves", gap=None, height=charts.HEIGHT + 62, border=False):
        busy = st.container(key="curves-busy").empty()
        if occurrences.separation is None:
            st.html('<p class="rb-point">Tag sentences of two senses or more, such as #river and #money: '
                    "then there is something to judge.</p>")  # fmt: skip
            return
        found, missing = curves.judged(settings, occurrences, busy)
        lines = [_line(settings, name, getattr(curve, measure)) for name, curve in found.items()]
        levels = [
            charts.Level(name, float(getattr(curve, measure)[0]))
            for name, curve in curves.levels(settings, occurrences, missing).items()
        ]
        rows = [(line.name, layer, value) for line in lines for layer, value in enumerate(line.values)]
        rows += [(level.name, "", level.value) for level in levels]
        name = f"{occurrences.word}-{MEASURES[measure]}-by-layer"
        offer(settings, Export("Curves", f"{name}.csv", lambda: table(["model", "layer", measure], rows)))
        _say(charts.told(SAYS[measure], lines, levels))
        made = charts.figure(lines, levels, _span(measure, lines, levels), SAYS[measure], palette())
        st.plotly_chart(made, theme=None, key="senses/curves", config={"displayModeBar": False})
        st.html(f'<p class="rb-point">{_says(lines, levels, occurrences, missing)}</p>')


def below(settings: Settings, occurrences: WordOccurrences) -> None:
    """How alike the vectors of the word are, of its sentences' words, and of any words."""
    with st.container(key="senses-alike-head", horizontal=True, vertical_alignment="center", gap="medium"):
        st.html('<p class="rb-how"><b>How much does the sentence change the word?</b></p>')
        st.toggle("Less what random words have", key=settings.key("adjusted"))
    less = f", less what {by_model.RANDOM_WORDS} words drawn at random have of it"
    st.html(
        f'<p class="rb-point">Cosines of the word to itself in other sentences, and of a sentence’s words to '
        f"their mean; third, how far one vector can stand for all{less if settings['adjusted'] else ''} "
        "(Ethayarajh 2019).</p>"
    )
    with st.container(key="senses-alike", gap=None, height=charts.PANELS_PX + 30, border=False):
        busy = st.container(key="alike-busy").empty()
        found = curves.alike(settings, occurrences, busy)
        pictures = {}
        for part, title in ALIKE.items():
            figures = {name: getattr(of, part) for name, of in found.items()}
            pictures[title] = (
                [_line(settings, name, values) for name, values in figures.items() if len(values) > 1],
                [charts.Level(by_model.label(n), float(v)) for n, v in figures.items() if len(v) == 1],
            )
        rows = [
            (title, line.name, layer, value)
            for title, (lines, levels) in pictures.items()
            for line in [*lines, *(charts.Line(level.name, [level.value], 0) for level in levels)]
            for layer, value in enumerate(line.values)
        ]
        offer(
            settings,
            Picture("senses-alike", f"{occurrences.word}-likeness-by-layer", "Likeness"),
            Export("Likeness", f"{occurrences.word}-likeness-by-layer.csv",
                   lambda: table(["measure", "model", "layer", "value"], rows)),
        )  # fmt: skip
        _say(" ".join(charts.told(title, *picture) for title, picture in pictures.items()))
        made = charts.panels(pictures, palette())
        st.plotly_chart(made, theme=None, key="senses/alike", config={"displayModeBar": False})


def how(settings: Settings, occurrences: WordOccurrences | None, model: "LanguageModel") -> tuple[str, str]:
    """What the curves and the lines are."""
    return (
        "Dashed lines are readers who never see the word in its sentence: word2vec has one vector for all, "
        "the other two know only which words stand around it. A curve says more than the topic where it is "
        "above them.",
        "A best layer that is chosen on these sentences looks better than it is; with a dozen of them one "
        "mistake is eight points.",
    )


def code(settings: Settings) -> str:
    """The chosen model's curves from Python."""
    return f"""import explorer
from explorer.analysis import senses
from explorer.analysis.senses import contextuality
from explorer.analysis.senses import separation
from explorer.analysis.senses import topic

{from_python.occurrences(settings)}

if curve := separation.curve(found.vectors, known):
    print(curve.macro_f1, curve.silhouette, curve.rand)
    static = explorer.load("word2vec")
    print(separation.curve(topic.bag_of_words(texts, found), known).macro_f1)
    print(separation.curve(topic.other_words(static, texts, found), known).macro_f1)

ours = [sentence.text for word in senses.library_words() for sentence in senses.library(word)]
drawn = contextuality.random_words(model, ours, {by_model.RANDOM_WORDS})
within = [*contextuality.sentence_similarities(model, texts)]
print(contextuality.contextuality(found.vectors, within, drawn).adjusted())"""


def _say(text: str) -> None:
    st.html(f'<p class="rb-unseen">{escape(text)}</p>')


def _line(settings: Settings, name: str, values: "Tensor") -> charts.Line:
    """A model's line, under the same mark in every picture."""
    names = by_model.bundled("CONTEXT", "VECTORS")
    mark = names.index(name) if name in names else len(names)
    return charts.Line(by_model.label(name), values.tolist(), mark, name == settings["model"])


def _span(measure: str, lines: list[charts.Line], levels: list[charts.Level]) -> tuple[float, float]:
    if measure == "macro_f1":
        return 0.0, 1.04
    low, high = charts.fitting(lines, levels)
    return min(low, -0.05), 1.04 if measure == "rand" else max(high, 0.3)


def _says(lines: list[charts.Line], levels: list[charts.Level], occurrences: WordOccurrences, missing: list[str]) -> str:
    """The chosen model's best layer, or the best of all where it has no layers; how many were judged."""
    shown = [line for line in lines if line.chosen] or lines
    said = []
    for line in shown:
        best = max(range(len(line.values)), key=lambda i: line.values[i])
        where = "the embedding" if best == 0 else f"layer {best}"
        said.append(f"{escape(line.name)} is best at {where}: {line.values[best]:.2f}.")
    judged, senses = occurrences.separation.judged, len(occurrences.separation.senses)
    said.append(f"{judged:,} occurrences of {senses} senses.")
    if missing:
        said.append(f"Left out, for want of a vector for these words: {escape(', '.join(missing))}.")
    return " ".join(said)
