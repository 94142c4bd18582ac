"""New sentence: its dot is placed on the unchanged map of the other occurrences, and its sense predicted."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import show_error
from explorer.views.frame.saving.saving import Export, table
from explorer.views.frame.view import OpenPage, Reading, Saves
from explorer.views.senses import files, map_player, new_sentence_presets, sense_map
from explorer.views.senses import map_data as charts
from explorer.views.senses.examples import WordExample
from explorer.views.senses.grouping import Grouping, entry, grouping
from explorer.views.senses.layer_maps import layer_maps
from explorer.views.senses.new_occurrence import NewOccurrence, maps_with_new, new_occurrence
from explorer.views.senses.search import Search, SenseView
from explorer.views.senses.settings import LAYER, LOCKED, NEW, SENSES, WORD
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.widgets.marks import parts
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.senses.classify import Classification
    from explorer.analysis.senses.occurrences import Occurrences
    from explorer.models import Model


PRESETS = [*new_sentence_presets.PRESETS, *new_sentence_presets.CHINESE]
CLOSEST = 3
PANEL_PX = 118
NEW_DOT = "new"  # the new dot's name; other dots are named after their text or number
EQUAL = 0.005  # a smaller margin is 0.00 in two decimals


def controls(page: OpenPage[Search]) -> None:
    """Draw the box of the new sentence."""
    word = page.settings[WORD].strip() or "the word"
    text_box(page.settings, NEW, "A new sentence", f"Type a sentence with “{word}”")


def draw(page: OpenPage[Search]) -> Saves:
    """Draw the map with the new dot, and lines from it to the nearest occurrences."""
    settings, occurrences = page.settings, page.data.occurrences
    groups = grouping(occurrences, settings[SENSES])
    new, _ = _new(page, occurrences)
    more: dict[str, Any] = {}
    if new is None:
        maps = layer_maps(occurrences, "pca", 2, settings[LAYER])
        lines = sense_map.lines_below(occurrences, groups, maps, "pca")
    else:
        maps = maps_with_new(occurrences, new)
        lines = maps.lines
        more = _with_new_dot(settings[LOCKED], occurrences, groups, new)
    with st.container(key="senses-map", gap=None):
        map_player.show(settings, occurrences, groups, maps, lines, "senses/new", **more)
    if new is None:
        return files.saves(page)
    occurrence, layer = new, settings[LAYER]
    cosines = Export(
        "The new sentence’s cosines",
        f"{occurrences.word}-new-sentence.csv",
        lambda: _cosines(occurrences, groups, occurrence, layer),
    )
    return [cosines, *files.saves(page)]


def _with_new_dot(
    locked: str, occurrences: WordOccurrences, groups: Grouping, new: NewOccurrence
) -> dict[str, Any]:
    """The map's data with the new dot, which is the last one and is selected if no other is."""
    last = len(occurrences.matches)
    dot = {
        "id": NEW_DOT,
        "mark": -1,
        "sense": "the new sentence",
        "fresh": new.text,
        "pair": "",
        "parts": parts(new.text, new.matches.span[0]),
    }
    more: dict[str, Any] = {
        "dots": [*charts.dots(occurrences, groups), dot],
        "names": [*charts.names(groups), {"text": "new", "words": "", "mark": -1, "members": [last]}],
    }
    if occurrences.index(locked) is None:
        classifications = [_classified(occurrences, groups, new, stop) for stop in occurrences.stops]
        near = [[i for i, _ in classification.occurrences[:CLOSEST]] for classification in classifications]
        more |= {"locked": NEW_DOT, "near": near}
    return more


def beside(page: OpenPage[Search]) -> None:
    """Draw the sense that the new sentence is nearest to, the margin, and the closest sentences."""
    settings, occurrences = page.settings, page.data.occurrences
    new, problem = _new(page, occurrences)
    if problem is not None:
        show_error(problem)
        return
    if new is None:
        word = quoted(occurrences.word)
        st.html(f'<p class="rb-point">Type a sentence with “{word}” above the map to see its dot there.</p>')
        return
    groups = grouping(occurrences, settings[SENSES])
    classified = _classified(occurrences, groups, new, settings[LAYER])
    first, then = verdict(classified, groups.from_clusters)
    st.html(f'<p class="rb-how" style="font-size:20px">{first}</p><p class="rb-point">{then}</p>')
    component("senses/neighbours")(
        key="senses/closest",
        data={
            "label": "The closest sentences",
            "height": PANEL_PX,
            "hint": "",
            "title": None,
            "rows": [
                entry(occurrences, groups, i) | {"cosine": f"{cosine:.2f}"}
                for i, cosine in classified.occurrences[:CLOSEST]
            ],
        },
        on_lock_change=map_player.lock(settings, "senses/closest"),
    )


def verdict(classified: "Classification", from_clusters: bool = False) -> tuple[str, str]:
    """The nearest sense with its margin, and how far out the new occurrence lies, as two HTML texts."""
    kind = "group" if from_clusters else "sense"
    if not classified.senses:
        return "There are no senses to compare it with.", "Tag sentences with their #sense."
    first = classified.senses[0]
    name = quoted(first.sense)
    cosines = ", ".join(f"{quoted(near.sense)} {near.cosine:.2f}" for near in classified.senses)
    sentence = f"Nearest to <b>{name}</b>"
    if classified.margin is not None:
        second = quoted(classified.senses[1].sense)
        if classified.margin < EQUAL:
            sentence = f"As near to <b>{name}</b> as to <b>{second}</b>"
        else:
            sentence += f", ahead of {second} by {classified.margin:.2f}"
    inside = first.size - first.farther
    if first.size < 3:
        out = f"With only {first.size} “{name}” sentences, nobody can say which distance is usual."
    elif first.farther == 0:
        out = (
            f"But all {first.size} “{name}” sentences are closer "
            f"to their mean: perhaps this is another {kind}."
        )
    elif inside == 0:
        out = f"It is closer to the average “{name}” vector than any of the {first.size} “{name}” sentences."
    else:
        out = (
            f"It is farther from the average “{name}” "
            f"vector than {inside} of the {first.size} “{name}” sentences."
        )
    return f"{sentence}.", f"{out} Cosines to the means: {cosines}."


READING = Reading(
    "The ring is the new sentence. Dotted lines lead to the occurrences that are closest to it by "
    "cosine. The other dots stay where they were.",
    "One sense is always the nearest, even if the sentence has a sense of its own. The margin and the "
    "distance only hint at that. Both are cosines in the layer that is shown.",
)


def example(page: OpenPage[Search]) -> WordExample:
    """The nearest sense, and the closest sentences."""
    settings = page.settings
    new, _ = _new(page, page.data.occurrences)
    return WordExample(
        page,
        nearest_sense,
        *("model", "texts", "occurrences", "labels"),
        sentence=new.text if new else settings[NEW],
        layer=settings[LAYER],
    )


def nearest_sense(
    model: "Model",
    texts: list[str],
    occurrences: "Occurrences",
    labels: list[str | None],
    sentence: str,
    layer: int,
) -> "tuple[Classification, list[str]]":
    """The nearest senses of a new sentence's word at a layer (-1: the word alone); the closest sentences."""
    from explorer.analysis import senses
    from explorer.analysis.senses.classify import classify

    new = senses.occurrences(model, [sentence], occurrences.word)
    if layer == -1:
        vectors, vector = (
            senses.isolated_vectors(model, texts, occurrences),
            senses.isolated_vectors(model, [sentence], new)[0],
        )
    else:
        vectors, vector = occurrences.vectors[:, layer], new.vectors[0, layer]
    result = classify(vector, vectors, labels)
    return result, [texts[occurrences.sentence_index[i]] for i, _ in result.occurrences[:3]]


def _new(
    page: OpenPage[Search], occurrences: WordOccurrences
) -> tuple[NewOccurrence | None, TextError | None]:
    """The word in the new sentence, or what is wrong with the sentence; neither if there is no sentence."""
    sentence = page.settings[NEW].strip()
    # The default sentence is about “bank”: for another word it counts as none.
    ours = sentence == NEW.default and occurrences.word.lower() not in sentence.lower()
    if not sentence or ours:
        return None, None
    try:
        return new_occurrence(page.model, sentence, occurrences.word), None
    except TextError as error:
        return None, error


def _cosines(occurrences: WordOccurrences, groups: Grouping, new: NewOccurrence, layer: int) -> str:
    """A CSV row for every sense and every occurrence, with its cosine to the new occurrence."""
    classified = _classified(occurrences, groups, new, layer)
    rows: list[list[Any]] = [["mean", near.sense, "", near.cosine] for near in classified.senses]
    rows += [
        ["occurrence", groups.name(i), occurrences.text(i), cosine] for i, cosine in classified.occurrences
    ]
    return table(["of", "sense", "sentence", "cosine"], rows)


def _classified(
    occurrences: WordOccurrences, groups: Grouping, new: NewOccurrence, stop: int
) -> "Classification":
    from explorer.analysis.senses.classify import classify

    names = [groups.name(i) or None for i in range(len(occurrences.matches))]
    return classify(new.at(stop), occurrences.at(stop), names)


VIEW = SenseView(
    label="New sentence",
    first=Hints(
        "The ring is a sentence that was not on the map. It lies between the senses.",
        "Change “manager’s office” to “old boat house”.",
    ),
    settings=(NEW,),
    presets=PRESETS,
    controls=controls,
    draw=draw,
    reading=READING,
    example=example,
    beside=beside,
)
