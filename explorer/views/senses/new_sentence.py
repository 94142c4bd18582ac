"""Where does this new sentence belong: its dot lands in the map, and the nearest sense is named.

The map stays as it is: the new dot falls where the others' picture has room for its vector.
"""

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.frame.page import show_error
from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.senses import from_python, sense_map
from explorer.views.senses import map_data as charts
from explorer.views.senses.word_occurrences import ALONE, WordOccurrences
from explorer.views.senses.new_occurrence import NewOccurrence, maps_with_new, new_occurrence
from explorer.views.senses.new_sentence_presets import DEFAULTS, PRESETS
from explorer.views.senses.layer_maps import Grouping, grouping, layer_maps
from explorer.views.widgets.marks import entry, parts
from explorer.views.widgets.registry import component, text_box

if TYPE_CHECKING:
    from explorer.analysis.senses.classify import Classification
    from explorer.models import LanguageModel

__all__ = ["DEFAULTS", "PRESETS", "beside", "code", "controls", "draw", "how", "verdict"]

CLOSEST = 3
PANEL_PX = 118
NEW = "new"  # what the new dot is called; a sentence's dot is called by its text or number
EVEN = 0.005  # a margin that two decimals call nothing


def controls(settings: Settings, occurrences: WordOccurrences | None) -> None:
    """The new sentence."""
    word = settings["word"].strip() or "the word"
    text_box(settings, "new", "A new sentence", f"Type a sentence with “{word}”")


def draw(settings: Settings, occurrences: WordOccurrences) -> None:
    """The map, the new dot in it with lines to the occurrences that are nearest to it."""
    groups = grouping(occurrences, settings["senses"])
    new, _ = _new(settings, occurrences)
    told: dict[str, Any] = {}
    if new is None:
        made = layer_maps(occurrences, "pca", 2, settings["layer"])
    else:
        made = maps_with_new(occurrences, new)
        told = _told(settings, occurrences, groups, new)
    with st.container(key="senses-map", gap=None):
        said = made.says if new else sense_map.says(occurrences, groups, made, "pca")
        sense_map.show(settings, occurrences, groups, made, said, "senses/new", **told)


def _told(settings: Settings, occurrences: WordOccurrences, groups: Grouping, new: NewOccurrence) -> dict[str, Any]:
    """What the map is told of the new dot: it is the last, and it is held where nothing else is."""
    last = len(occurrences.found)
    fresh = {
        "id": NEW, "mark": -1, "sense": "the new sentence", "fresh": new.text, "pair": "",
        "parts": parts(new.text, new.found.span[0]),
    }  # fmt: skip
    told: dict[str, Any] = {
        "dots": [*charts.dots(occurrences, groups), fresh],
        "names": [*charts.names(groups), {"text": "new", "words": "", "mark": -1, "members": [last]}],
    }
    layer = settings["layer"]
    offer(
        settings,
        Export(
            "The new sentence’s cosines",
            f"{occurrences.word}-new-sentence.csv",
            lambda: _cosines(occurrences, groups, new, layer),
        ),
    )
    if occurrences.index(settings["locked"]) is None:
        classified = [_classified(occurrences, groups, new, stop) for stop in occurrences.stops]
        told |= {"locked": NEW, "near": [[i for i, _ in one.occurrences[:CLOSEST]] for one in classified]}
    return told


def beside(settings: Settings, occurrences: WordOccurrences) -> None:
    """The sense that the new sentence is nearest to, by how much, and the closest sentences."""
    new, problem = _new(settings, occurrences)
    if problem is not None:
        show_error(problem)
        return
    if new is None:
        word = escape(occurrences.word)
        st.html(f'<p class="rb-point">Type a sentence with “{word}” above the map: its dot lands there.</p>')
        return
    groups = grouping(occurrences, settings["senses"])
    classified = _classified(occurrences, groups, new, settings["layer"])
    first, then = verdict(classified, groups.found)
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
        on_lock_change=sense_map.lock(settings, "senses/closest"),
    )


def verdict(classified: "Classification", found: bool = False) -> tuple[str, str]:
    """The nearest sense and its margin; how far out the newcomer lies. Ready for HTML."""
    kind = "group" if found else "sense"
    if not classified.senses:
        return "There are no senses to compare it with.", "Tag sentences with their #sense."
    first = classified.senses[0]
    cosines = ", ".join(f"{escape(near.sense)} {near.cosine:.2f}" for near in classified.senses)
    said = f"Nearest to <b>{escape(first.sense)}</b>"
    if classified.margin is not None:
        second = escape(classified.senses[1].sense)
        if classified.margin < EVEN:
            said = f"As near to <b>{escape(first.sense)}</b> as to <b>{second}</b>"
        else:
            said += f", by {classified.margin:.2f} before {second}"
    inside = first.size - first.farther
    if first.size < 3:
        out = f"With {first.size} of {escape(first.sense)} nobody can say how far out it lies."
    elif first.farther == 0:
        out = (
            f"But it lies farther out than every one of the {first.size} of {escape(first.sense)}: "
            f"perhaps another {kind}."
        )
    elif inside == 0:
        out = f"It lies nearer to the middle of {escape(first.sense)} than any of its {first.size}."
    else:
        out = f"It lies farther out than {inside} of the {first.size} of {escape(first.sense)}."
    return f"{said}.", f"{out} Cosines to the middles: {cosines}."


def how(settings: Settings, occurrences: WordOccurrences | None, model: "LanguageModel") -> tuple[str, str]:
    """What the new dot is, and what a margin is worth."""
    return (
        "The ring is the new sentence; dotted lines lead to the closest ones in the model’s own space. The "
        "others stay where they were: it falls where their picture puts its vector.",
        "A nearest sense there always is: whether it is the right one, or the sentence has a sense of its "
        "own, the margin and the distance only hint at. Both are cosines in the layer that is shown.",
    )


def code(settings: Settings) -> str:
    """The verdict from Python."""
    layer = settings["layer"]
    vectors, one = f"found.vectors[:, {layer}]", f"occurrences.vectors[0, {layer}]"
    if layer == ALONE:
        vectors, one = "senses.alone(model, texts, found)", "senses.alone(model, [new], occurrences)[0]"
    return f"""import explorer
from explorer.analysis import senses
from explorer.analysis.senses import classify

{from_python.occurrences(settings)}

new = {settings["new"]!r}
occurrences = senses.occurrences(model, [new], {settings["word"].strip()!r})
classified = classify.classify({one}, {vectors}, known)
for near in classified.senses:
    print(near)
for i, cosine in classified.occurrences[:{CLOSEST}]:
    print(round(cosine, 3), texts[found.sentence_index[i]])"""


def _new(settings: Settings, occurrences: WordOccurrences) -> tuple[NewOccurrence | None, TextError | None]:
    """The new sentence as the model sees it, or what is wrong with it; neither where there is none."""
    sentence = settings["new"].strip()
    ours = sentence == DEFAULTS["new"] and occurrences.word.lower() not in sentence.lower()  # of another word
    if not sentence or ours:
        return None, None
    try:
        return new_occurrence(settings["model"], sentence, occurrences.word), None
    except TextError as error:
        return None, error


def _cosines(occurrences: WordOccurrences, groups: Grouping, new: NewOccurrence, layer: int) -> str:
    """Every sense and every occurrence with its cosine to the new sentence's word, as CSV."""
    classified = _classified(occurrences, groups, new, layer)
    rows: list[list[Any]] = [["mean", near.sense, "", near.cosine] for near in classified.senses]
    rows += [["occurrence", groups.name(i), occurrences.text(i), cosine] for i, cosine in classified.occurrences]
    return table(["of", "sense", "sentence", "cosine"], rows)


def _classified(occurrences: WordOccurrences, groups: Grouping, new: NewOccurrence, stop: int) -> "Classification":
    from explorer.analysis.senses.classify import classify

    names = [groups.name(i) or None for i in range(len(occurrences.found))]
    return classify(new.at(stop), occurrences.at(stop), names)
