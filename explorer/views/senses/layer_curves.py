"""How well every model's layers separate the senses, beside baselines that know only the topic."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

import explorer
from explorer.catalogue.ability import Ability
from explorer.errors import ExplorerError
from explorer.locale import N_, _, close_up, format_number, ngettext
from explorer.views import kit
from explorer.views.senses import by_model, files
from explorer.views.senses.examples import WordExample
from explorer.views.senses.search import Search
from explorer.views.senses.settings import MODEL
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.types import LanguageModel, Model, Occurrences, Separation, Tensor
from explorer.views.widgets import layer_chart as charts
from explorer.views.widgets.numbers import per_cent

AXIS = N_("nearest centroid, leave one out: macro-F1")
STATIC = "word2vec"


def draw(page: kit.OpenPage[Search]) -> kit.Saves:
    """Draw the curve of every model, and a dashed line for each baseline."""
    settings, occurrences = page.settings, page.data.occurrences
    separation = occurrences.separation
    with st.container(key="senses-curves", gap=None, height=charts.HEIGHT + 62, border=False):
        busy = st.container(key="curves-busy").empty()
        if separation is None:
            tag = _(
                "Tag sentences of two senses or more, such as #river and #money, to see how well each layer "
                "keeps them apart."
            )
            st.html(f'<p class="rb-point">{tag}</p>')
            return files.saves(page)
        scores, missing = model_scores(settings, page.model, busy)
        lines = [_line(settings, name, values) for name, values in scores.items()]
        below = {name: float(values[0]) for name, values in baselines(settings, occurrences, missing).items()}
        levels = [charts.Level(_(name), value) for name, value in below.items()]
        kit.spoken(charts.describe(_(AXIS), lines, levels))
        plain = kit.for_class()
        heading = _("how well the senses are told apart") if plain else _(AXIS)
        fig = charts.figure({heading: (lines, levels)}, kit.palette(), span=(0.0, 1.04), percent=plain)
        kit.chart(fig, "senses/curves", least=480)
        summary = _summary(lines, separation.chance, occurrences.senses, separation, missing)
        st.html(f'<p class="rb-point">{summary}</p>')
    rows: list[tuple[str, int | str, float]] = [
        (line.name, layer, value) for line in lines for layer, value in enumerate(line.values)
    ]
    rows += [(name, "", value) for name, value in below.items()]
    file = f"{occurrences.word}-by-layer.csv"
    return [
        kit.Export(N_("Curves"), file, lambda: kit.table(["model", "layer", "macro_f1"], rows)),
        *files.saves(page),
    ]


def example(page: kit.OpenPage[Search]) -> WordExample:
    """The scores of the model and of the two baselines that read the other words."""
    return WordExample(page, scores_by_layer, "model", "texts", "occurrences", "labels")


def scores_by_layer(
    model: "Model", texts: list[str], occurrences: "Occurrences", labels: list[str | None]
) -> "dict[str, Tensor | None]":
    """How well each layer and each baseline separates the senses: macro-F1."""
    from explorer.analysis.senses import topic
    from explorer.analysis.senses.separation import separation

    vectors = {
        str(model.checkpoint): occurrences.vectors,
        "bag of words": topic.bag_of_words(texts, occurrences),
        "other words’ mean": topic.other_words(explorer.load("word2vec"), texts, occurrences),
    }
    results = {name: separation(each, labels) for name, each in vectors.items()}
    return {name: result.macro_f1 if result else None for name, result in results.items()}


def model_scores(
    settings: kit.Settings, chosen: "LanguageModel", busy: Any
) -> tuple[dict[str, "Tensor"], list[str]]:
    """The scores of every model with layers, and the names of models that cannot read the sentences."""
    scores, missing = {}, []
    names = by_model.bundled("CONTEXT")
    if settings[MODEL] not in names and chosen.abilities & Ability.CONTEXT:
        names = [*names, settings[MODEL]]
    for name, result in by_model.read_all(settings, names, busy):
        if isinstance(result, ExplorerError):
            missing.append(by_model.label(name))
        elif result[1].separation is not None:
            scores[name] = result[1].separation.macro_f1
    return scores, missing


def baselines(
    settings: kit.Settings, occurrences: WordOccurrences, missing: list[str]
) -> dict[str, "Tensor"]:
    """The scores of baselines that do not read the word in its sentence: word2vec, and topic measures."""
    results = {}
    try:
        static = kit.memory.get(STATIC)
        static_occurrences = occurrences if settings[MODEL] == STATIC else by_model.read(settings, static)
        results["word2vec"] = static_occurrences.separation
        results[N_("other words’ mean")] = _other_words(occurrences.key, static, occurrences)
    except ExplorerError:
        missing.append(by_model.label(STATIC))
    results[N_("bag of words")] = _bag(occurrences.key, occurrences)
    return {name: result.macro_f1 for name, result in results.items() if result is not None}


@kit.kept(64)
def _bag(key: str, _occurrences: WordOccurrences) -> "Separation | None":
    from explorer.analysis.senses import separation, topic

    return separation.separation(
        topic.bag_of_words(_texts(_occurrences), _occurrences.matches), _occurrences.senses
    )


@kit.kept(64)
def _other_words(key: str, static: "LanguageModel", _occurrences: WordOccurrences) -> "Separation | None":
    from explorer.analysis.senses import separation, topic

    vectors = topic.other_words(static, _texts(_occurrences), _occurrences.matches)
    return separation.separation(vectors, _occurrences.senses)


def _texts(occurrences: WordOccurrences) -> list[str]:
    return [sentence.text for sentence in occurrences.sentences]


def _line(settings: kit.Settings, name: str, values: "Tensor") -> charts.Line:
    """A model's line, with the same mark in every picture."""
    names = by_model.bundled("CONTEXT", "VECTORS")
    mark = names.index(name) if name in names else len(names)
    return charts.Line(by_model.label(name), values.tolist(), mark, name == settings[MODEL])


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
    write = per_cent if kit.for_class() else charts.two_decimals
    for line in [line for line in lines if line.chosen] or lines:
        best = charts.best_layers(line.values, chance)
        model = escape(line.name)
        parts.append(
            _(
                "{model} is best at {layers}: {score}.",
                model=model,
                layers=best,
                score=write(max(line.values[1:])),
            )
            if best
            else _("No layer of {model} parts the senses better than chance.", model=model)
        )
    judged = sum(count > 1 for count in Counter(sense for sense in senses if sense).values())
    alone, all_judged = len(separation.senses) - judged, format_number(separation.judged)
    parts.append(
        ngettext(
            "{occurrences} occurrences of {count} sense, {alone} with a single sentence left out.",
            "{occurrences} occurrences of {count} senses, {alone} with a single sentence left out.",
            judged,
            occurrences=all_judged,
            alone=alone,
        )
        if alone
        else ngettext(
            "{occurrences} occurrences of {count} sense.",
            "{occurrences} occurrences of {count} senses.",
            judged,
            occurrences=all_judged,
        )
    )
    if missing:
        models = escape(", ".join(missing))
        parts.append(_("Left out, since they lack one of these words: {models}.", models=models))
    return close_up(" ".join(parts))
