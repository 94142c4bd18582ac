"""Senses by layer: how well every model's layers separate the senses, beside baselines of the topic.

Below, the contextuality of the word's vectors, minus the random baseline (Ethayarajh 2019).
"""

from collections import Counter
from collections.abc import Sequence
from html import escape

import streamlit as st

import explorer
from explorer.views.frame.chart import chart
from explorer.views.frame.lecture.stage import Stage
from explorer.views.frame.page import palette
from explorer.views.frame.presenter import for_class
from explorer.views.frame.saving.saving import Export, Picture, offer, table
from explorer.views.frame.view import OpenPage, Saves
from explorer.views.frame.view_text import view_text
from explorer.views.senses import by_model, curves, files
from explorer.views.senses.examples import WordExample
from explorer.views.senses.search import PANEL, Search, SenseView
from explorer.views.senses.settings import ADJUSTED, MEASURE, MODEL, MORE
from explorer.views.settings.settings import Settings
from explorer.views.types import Contextuality, Curve, Model, Occurrences, Separation, Tensor
from explorer.views.widgets import layer_chart as charts
from explorer.views.widgets.controls import segments, switch
from explorer.views.widgets.notes import spoken
from explorer.views.widgets.numbers import per_cent

MEASURES = {"macro_f1": "Macro-F1", "silhouette": "Silhouette", "rand": "Rand index"}
AXES = {
    "macro_f1": "nearest centroid, leave one out: macro-F1",
    "silhouette": "mean silhouette by cosine, −1 to 1",
    "rand": "k-means against the senses: adjusted Rand index",
}
CONTEXTUALITY = {
    "self_similarity": "Self-similarity",
    "intra_sentence": "Intra-sentence similarity",
    "explainable_variance": "Maximum explainable variance",
}


def controls(page: OpenPage[Search]) -> None:
    """A switch for more measures and a second chart, and which measure is shown."""
    settings = page.settings
    with st.container(key="senses-measures", horizontal=True, vertical_alignment="center", gap="medium"):
        _measures(settings)


def _measures(settings: Settings) -> None:
    if not _more(settings):
        switch(settings, MORE, "More measures")
        return
    settings.restrict(MEASURE, MEASURES)
    segments(settings, MEASURE, "Measure", MEASURES, width="content")
    if settings[MEASURE] == "macro_f1":
        switch(settings, MORE, "More measures")


def _more(settings: Settings) -> bool:
    """Whether more than the first measure is shown, by the switch or by a link."""
    return settings[MORE] or settings[MEASURE] != "macro_f1" or not settings[ADJUSTED]


def draw(page: OpenPage[Search]) -> Saves:
    """Draw the curve of every model, and a dashed line for each baseline."""
    settings, occurrences = page.settings, page.data.occurrences
    measure, separation = settings[MEASURE], occurrences.separation
    with st.container(key="senses-curves", gap=None, height=charts.HEIGHT + 62, border=False):
        busy = st.container(key="curves-busy").empty()
        if separation is None:
            st.html(
                '<p class="rb-point">Tag sentences of two senses or more, such as #river and #money, '
                "to see how well each layer keeps them apart.</p>"
            )
            return files.saves(page)
        model_curves, missing = curves.model_curves(settings, page.model, busy)
        lines = [_line(settings, name, getattr(curve, measure)) for name, curve in model_curves.items()]
        levels = [
            charts.Level(name, float(getattr(curve, measure)[0]))
            for name, curve in curves.baselines(settings, occurrences, missing).items()
        ]
        spoken(charts.describe(AXES[measure], lines, levels))
        plain = for_class() and measure == "macro_f1"
        heading = "how well the senses are told apart" if plain else AXES[measure]
        span = _span(measure, lines, levels)
        fig = charts.figure({heading: (lines, levels)}, palette(), span=span, percent=plain)
        chart(fig, "senses/curves", least=480)
        chance = separation.chance if measure == "macro_f1" else 0.0
        summary = _summary(lines, chance, occurrences.senses, separation, missing)
        st.html(f'<p class="rb-point">{summary}</p>')
    rows: list[tuple[str, int | str, float]] = [
        (line.name, layer, value) for line in lines for layer, value in enumerate(line.values)
    ]
    rows += [(level.name, "", level.value) for level in levels]
    name = f"{occurrences.word}-{MEASURES[measure]}-by-layer.csv"
    return [Export("Curves", name, lambda: table(["model", "layer", measure], rows)), *files.saves(page)]


def below(page: OpenPage[Search]) -> None:
    """Draw the three measures of contextuality by layer."""
    settings = page.settings
    if (occurrences := page.data.occurrences_or_none) is None or not _more(settings):
        return
    with st.container(key="senses-alike-head", horizontal=True, vertical_alignment="center", gap="medium"):
        st.html('<p class="rb-how"><b>How much does the sentence change the word?</b></p>')
        switch(settings, ADJUSTED, "Subtract the random baseline")
    less = f" The same figure of {by_model.RANDOM_WORDS} random words is subtracted."
    st.html(
        '<p class="rb-point">The mean cosine of the word with itself in other sentences; that of a '
        "sentence’s words with their mean; and the share of the word’s vectors that one direction explains "
        f"(Ethayarajh 2019).{less if settings[ADJUSTED] else ''}</p>"
    )
    with st.container(key="senses-alike", gap=None, height=charts.PANELS_PX + 30, border=False):
        busy = st.container(key="alike-busy").empty()
        contextualities = curves.contextuality_by_model(settings, page.model, busy)
        panels: dict[str, tuple[list[charts.Line], list[charts.Level]]] = {}
        for part, title in CONTEXTUALITY.items():
            figures = {name: getattr(contextuality, part) for name, contextuality in contextualities.items()}
            panels[title] = (
                [_line(settings, name, values) for name, values in figures.items() if len(values) > 1],
                [charts.Level(by_model.label(n), float(v)) for n, v in figures.items() if len(v) == 1],
            )
        spoken(" ".join(charts.describe(title, *panel) for title, panel in panels.items()))
        fig = charts.figure(panels, palette(), charts.PANELS_PX)
        chart(fig, "senses/alike", least=820)
    rows = [
        (title, line.name, layer, value)
        for title, (lines, levels) in panels.items()
        for line in [*lines, *(charts.Line(level.name, [level.value], 0) for level in levels)]
        for layer, value in enumerate(line.values)
    ]
    name, columns = f"{occurrences.word}-likeness-by-layer", ["measure", "model", "layer", "value"]
    offer(
        settings,
        Picture("senses-alike", name, "Likeness"),
        Export("Likeness", f"{name}.csv", lambda: table(columns, rows)),
    )


def layer_figures(
    model: "Model", texts: list[str], occurrences: "Occurrences", labels: list[str | None]
) -> "tuple[dict[str, Curve | None], Contextuality]":
    """How well each layer and each baseline separates the senses, and the word's contextuality."""
    from explorer.analysis import senses
    from explorer.analysis.senses import contextuality, separation, topic

    static = explorer.load("word2vec")
    figures = {
        str(model.checkpoint): separation.curve(occurrences.vectors, labels),
        "bag of words": separation.curve(topic.bag_of_words(texts, occurrences), labels),
        "other words’ mean": separation.curve(topic.other_words(static, texts, occurrences), labels),
    }
    ours = [sentence.text for word in senses.library_words() for sentence in senses.library(word)]
    random = contextuality.random_words(model, ours, count=200)
    with_word = [texts[i] for i in sorted(set(occurrences.sentence_index))]
    within = [*contextuality.sentence_similarities(model, with_word)]
    return figures, contextuality.contextuality(occurrences.vectors, within, random).adjusted()


def _line(settings: Settings, name: str, values: "Tensor") -> charts.Line:
    """A model's line, with the same mark in every picture."""
    names = by_model.bundled("CONTEXT", "VECTORS")
    mark = names.index(name) if name in names else len(names)
    return charts.Line(by_model.label(name), values.tolist(), mark, name == settings[MODEL])


def _span(measure: str, lines: list[charts.Line], levels: list[charts.Level]) -> tuple[float, float]:
    if measure == "macro_f1":
        return 0.0, 1.04
    low, high = charts.fitting(lines, levels)
    return min(low, -0.05), 1.04 if measure == "rand" else max(high, 0.3)


def _summary(
    lines: list[charts.Line],
    chance: float,
    senses: Sequence[str | None],
    separation: "Separation",
    missing: list[str],
) -> str:
    """The best layers of the chosen model, or of all if it has no line, and how many occurrences counted.

    A sense counts only if it has two examples: one is left out, and the other is the centroid.
    """
    parts = []
    write = per_cent if for_class() else charts.two_decimals
    for line in [line for line in lines if line.chosen] or lines:
        best = charts.best_layers(line.values, chance)
        parts.append(
            f"{escape(line.name)} is best at {best}: {write(max(line.values[1:]))}."
            if best
            else f"No layer of {escape(line.name)} parts the senses better than chance."
        )
    judged = sum(count > 1 for count in Counter(sense for sense in senses if sense).values())
    alone = len(separation.senses) - judged
    single = f", {alone} with a single sentence left out" if alone else ""
    parts.append(f"{separation.judged:,} occurrences of {judged} sense{'s' * (judged != 1)}{single}.")
    if missing:
        parts.append(f"Left out, since they lack one of these words: {escape(', '.join(missing))}.")
    return " ".join(parts)


VIEW = SenseView(
    text=view_text("senses", "well"),
    settings=(MEASURE, ADJUSTED, MORE),
    controls=controls,
    draw=draw,
    below=below,
    example=lambda page: WordExample(page, layer_figures, "model", "texts", "occurrences", "labels"),
    stage=Stage(panel=PANEL),
)
