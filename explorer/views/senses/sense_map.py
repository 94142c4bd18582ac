"""Map: the occurrences of a word as dots, layer by layer, and the nearest neighbours of one of them."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from explorer.catalogue.ability import Ability
from explorer.locale import N_, _, close_up, localised, translate
from explorer.room.questions import LEAST, MOST
from explorer.views import kit
from explorer.views.senses import files, layer_curves, matrix, new_sentence
from explorer.views.senses import map_data as charts
from explorer.views.senses.example_sentences import FIVE
from explorer.views.senses.examples import WordExample
from explorer.views.senses.grouping import Grouping, entry, grouping
from explorer.views.senses.layer_maps import METHODS, LayerMaps, layer_maps, only_layer
from explorer.views.senses.map_player import nearest, projection_controls, show
from explorer.views.senses.new_occurrence import maps_with_new
from explorer.views.senses.search import Search, SenseView
from explorer.views.senses.settings import (
    AXES,
    BASELINE,
    CONTOURS,
    LAYER,
    LOCKED,
    MODEL,
    NEW,
    ORDER,
    OWN,
    PROJECTION,
    SENSES,
    SHOWN,
    WORD,
    WORDNET,
)
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences
from explorer.views.senses.wordnet_list import (
    LANGUAGE,
    NAME,
    export,
    missed_sentences,
    shown_alone,
    wordnet_list,
)
from explorer.views.types import Discriminant, MapMethod, Model, Occurrences, Projection
from explorer.views.widgets.layer_chart import best_layers
from explorer.views.widgets.wait_until import must_wait
from explorer.views.widgets.word_map import lock

PANEL_PX = 148
PICTURES = {"dots": N_("Dots"), "matrix": N_("Matrix"), "layers": N_("By layer")}

VIEW_TEXT = kit.view_text("senses", "map")


def fit(settings: kit.Settings, model: "Model") -> None:
    """Adjust settings that the model or the page does not have to the nearest that it has."""
    settings.clamp(LAYER, ALONE, model.config.layers)
    settings.restrict(PROJECTION, METHODS)
    settings.restrict(AXES, (2, 3))


def picture_controls(settings: kit.Settings) -> None:
    """Whether the occurrences are dots, a matrix of all pairs, or curves by layer."""
    settings.restrict(SHOWN, PICTURES)
    kit.segments(settings, SHOWN, _("Picture"), translate(PICTURES))


def controls(page: kit.OpenPage[Search]) -> None:
    """The projection, its dimensions and what is drawn, in one row."""
    settings, occurrences = page.settings, page.data.occurrences_or_none
    if settings[SHOWN] == "layers" or shown_alone(settings, page.model.languages):
        return
    with st.container(key="senses-controls", horizontal=True, vertical_alignment="center", gap="xsmall"):
        if settings[SHOWN] == "matrix":
            return matrix.controls(settings)
        methods = ["pca"] if settings[NEW].strip() else list(METHODS)  # a new dot has a place on its map only
        projection_controls(settings, methods)
        if occurrences is None or any(occurrences.senses):
            kit.switch(settings, SENSES, _("Senses"))
        kit.switch(settings, CONTOURS, _("Contours"), disabled=settings[AXES] == 3)


def draw(page: kit.OpenPage[Search]) -> kit.Saves:
    """Draw the dots at every layer, the names of their groups, and the layer player."""
    if other := OTHERS.get(page.settings[SHOWN]):
        return other[0](page)
    settings, occurrences = page.settings, page.data.occurrences
    if shown_alone(settings, page.model.languages):
        wordnet_list(settings[WORD])
        missed_sentences(occurrences)
        return export(settings[WORD])
    with st.container(key="senses-map", gap=None):
        busy = st.container(key="senses-busy").empty()
        method = "pca" if must_wait(settings[PROJECTION]) else settings[PROJECTION]
        axes, layer = settings[AXES], settings[LAYER]
        if method != "pca":  # seconds, where dots are many; PCA is there at once
            waits = _("{method} places {count} dots…", method=METHODS[method], count=len(occurrences.matches))
            busy.html(f'<p class="rb-point">{waits}</p>')
        groups = grouping(occurrences, settings[SENSES])
        maps = layer_maps(occurrences, method, axes, layer)
        busy.empty()
        contours = _contours(maps, groups) if settings[CONTOURS] and axes == 2 else None
        lines = lines_below(occurrences, groups, maps, method)
        new = new_sentence.read(page)[0]
        more: dict[str, Any] = {}
        if new is not None:
            maps = maps_with_new(occurrences, new, axes)
            lines, more = maps.lines, new_sentence.with_new_dot(settings, occurrences, groups, new)
        show(settings, occurrences, groups, maps, lines, axes=axes, contours=contours, **more)
    if not kit.presenting():
        with page.row:
            new_sentence.box(settings)
    saves = [*files.saves(page), *(export(settings[WORD]) if settings[WORDNET] else [])]
    return saves if new is None else [new_sentence.export(settings, occurrences, groups, new), *saves]


def beside(page: kit.OpenPage[Search]) -> None:
    """Draw the neighbours by cosine of the selected occurrence or the new sentence, or WordNet's senses."""
    settings, occurrences = page.settings, page.data.occurrences
    if settings[SHOWN] in OTHERS:
        return
    if LANGUAGE in page.model.languages:
        kit.switch(settings, WORDNET, _(NAME))
        if settings[WORDNET]:
            if not kit.presenting():
                wordnet_list(settings[WORD])
            return
    key, at = "senses/neighbours", occurrences.index(settings[LOCKED])
    data: dict[str, Any] = {
        "label": _("Nearest neighbours"),
        "height": PANEL_PX,
        "hint": _("Press a dot to list the occurrences most similar to it, by cosine."),
    }
    groups = grouping(occurrences, settings[SENSES])
    if kit.presenting():  # beside the map, below which it would stand at the edge of the window
        new_sentence.box(settings)
    new, problem = new_sentence.read(page)
    if problem is not None:
        kit.show_error(problem)
    if at is None and new is not None:
        data["rows"] = new_sentence.draw_verdict(settings, occurrences, groups, new)
    if at is not None:
        data["title"] = entry(occurrences, groups, at)
        data["rows"] = [
            entry(occurrences, groups, i) | {"cosine": localised(f"{cosine:.2f}")}
            for i, cosine in nearest(occurrences, settings[LAYER], at)
        ]
    kit.component("widgets/nearest")(key=key, data=data, on_lock_change=lock(settings, key, LOCKED))


def reading(page: kit.OpenPage[Search]) -> kit.Reading:
    """What colours and distances mean, what the map cannot show, and what the model does not read."""
    settings, occurrences, model = page.settings, page.data.occurrences_or_none, page.model
    if settings[SHOWN] in OTHERS:
        subtracted = settings[SHOWN] == "matrix" and settings[BASELINE]
        return VIEW_TEXT.readings["baseline" if subtracted else settings[SHOWN]]
    is_marked = occurrences is not None and any(occurrences.senses) and settings[SENSES]
    sentence, caveat = (VIEW_TEXT.readings["senses"] if is_marked else VIEW_TEXT.reading).filled(
        source=VIEW_TEXT.phrases["own" if settings[OWN] else "typed"], dimensions=model.config.d_model
    )
    if settings[NEW].strip():
        sentence += VIEW_TEXT.phrases["ring"]
        caveat += VIEW_TEXT.phrases["nearest"]
    if Ability.GENERATE in model.abilities:
        caveat += VIEW_TEXT.phrases["left-to-right"]
    return kit.Reading(sentence, caveat)


def example(page: kit.OpenPage[Search]) -> kit.Example:
    """The map's places, and how well each layer separates the senses."""
    if other := OTHERS.get(page.settings[SHOWN]):
        return other[1](page)
    settings = page.settings
    new = new_sentence.read(page)[0]
    if new is not None:
        return new_sentence.example(page, new)
    method, layer = settings[PROJECTION], settings[LAYER]
    only = only_layer(page.data.occurrences, method, layer)
    return WordExample(
        page,
        places_on_map,
        *("model", "texts", "occurrences", "labels"),
        layer=layer,
        method=method,
        axes=settings[AXES],
        **({} if only is None else {"only": True}),
    )


def places_on_map(
    model: "Model",
    texts: list[str],
    occurrences: "Occurrences",
    labels: list[str | None],
    layer: int,
    method: "MapMethod",
    axes: int,
    only: bool = False,
) -> "tuple[Projection | Discriminant | None, list[float]]":
    """The map of a layer (-1 is the word alone), and leave-one-out accuracy on every layer.

    `only` computes the map of this layer alone: for many dots, t-SNE and UMAP take seconds per layer.
    """
    import torch

    from explorer.analysis import projection, senses
    from explorer.analysis.senses.separation import separation

    alone = senses.isolated_vectors(model, texts, occurrences)
    vectors = torch.cat([alone[:, None], occurrences.vectors], 1)  # occurrence, stop of the slider, d_model
    stop = layer + 1
    maps = projection.layer_maps(vectors, method, axes, labels, stop if only else None)
    figures = separation(occurrences.vectors, labels)
    return maps[stop], figures.accuracy.tolist() if figures else []


def asks(page: kit.OpenPage[Search]) -> list[kit.Poll]:
    """Which of a few senses the word has in the new sentence."""
    settings, occurrences = page.settings, page.data.occurrences
    new, groups = new_sentence.read(page)[0], grouping(occurrences, settings[SENSES])
    if settings[SHOWN] in OTHERS or new is None or not LEAST <= len(groups.names) <= MOST:
        return []
    occurrence, layer = new, settings[LAYER]

    def nearest() -> str:
        return new_sentence.classification_of(occurrences, groups, occurrence, layer).senses[0].sense

    text = _(
        "Which sense of “{word}” is nearest here, for {model}?",
        word=occurrences.word,
        model=kit.memory.short_label(settings[MODEL]),
    )
    return [kit.Poll(kit.Question("choice", text, new.text, tuple(groups.names)), find_truth=nearest)]


def lines_below(occurrences: WordOccurrences, groups: Grouping, maps: LayerMaps, method: str) -> list[str]:
    """A line for every stop: how well the layer separates senses, what the map shows, what was left out."""
    verdicts = [""] * len(maps.lines) if method == "lda" else _verdicts(occurrences, groups)
    return [
        close_up(" ".join(filter(None, [*lines, *occurrences.notes]))) for lines in zip(verdicts, maps.lines)
    ]


def _contours(maps: LayerMaps, groups: Grouping) -> list[Any]:
    unit, (x, y) = max(maps.reach), maps.reach[:2]
    return [[] if plane is None else charts.contours(plane, groups, (x, y), unit) for plane in maps.planes]


def _verdicts(occurrences: WordOccurrences, groups: Grouping) -> list[str]:
    """A line for every stop: how well it separates the senses, and the predicted senses of untagged dots."""
    sep = occurrences.separation
    if groups.from_clusters:
        return [groups.note] * len(occurrences.stops)
    if sep is None or not sep.judged:
        line = _("Tag sentences of two senses or more to see how well a layer keeps them apart.")
        return [line] * len(occurrences.stops)
    best = best_layers(sep.accuracy.tolist(), sep.chance)
    lines = [_("Before any sentence is read, each spelling of the word has one vector.")]
    for layer in range(occurrences.layers + 1):
        vectors = occurrences.at(layer)
        if (vectors == vectors[0]).all():  # among equal vectors, the predicted sense would be the first
            lines.append(_("No sense can be told from another here."))
            continue
        right = round(float(sep.accuracy[layer]) * sep.judged)
        verdict = (
            N_("{right} of {judged} are closest to the right group; best: {layers}.")
            if best
            else N_("{right} of {judged} are closest to the right group; no layer is better than chance.")
        )
        parts = [_(verdict, right=right, judged=sep.judged, layers=best)]
        guesses = Counter(g for g, sense in zip(sep.guesses[layer], occurrences.senses) if sense is None)
        guessed = [f"{s} ({n})" if guesses.total() > 1 else s for s, n in guesses.most_common()]
        if guessed:
            parts.append(_("Untagged: nearest to {senses}.", senses=", ".join(guessed)))
        lines.append(" ".join(parts))
    return lines


# Pictures in place of the dots, with the code of each.
OTHERS: Mapping[
    str, tuple[Callable[[kit.OpenPage[Search]], kit.Saves], Callable[[kit.OpenPage[Search]], WordExample]]
] = {"matrix": (matrix.draw, matrix.example), "layers": (layer_curves.draw, layer_curves.example)}
VIEW = SenseView(
    text=VIEW_TEXT.of_page(reading=reading),
    settings=(SHOWN, ORDER, BASELINE, WORDNET, NEW),
    lines=9,
    opening=FIVE,
    controls=controls,
    picture=draw,
    example=example,
    beside=beside,
    stage=kit.Stage(
        covered=(
            ".unknown, .links, .says, .rb-how, .rb-point, .rb-wordnet, .rb-missed, "
            ".st-key-senses-neighbours, .st-key-senses-matrix *, .st-key-senses-curves *",
        ),
        boxes=(NEW,),
        desk=f".st-key-senses-hint, .st-key-senses-{WORDNET}",
        polls=asks,
    ),
)
