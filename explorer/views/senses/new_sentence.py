"""A new sentence on the map: its ring among the dots that stay, its nearest senses and closest sentences."""

from typing import Any

import streamlit as st

from explorer.errors import TextError
from explorer.locale import N_, _, close_up, localised, ngettext
from explorer.views import kit
from explorer.views.senses import map_data as charts
from explorer.views.senses.examples import WordExample
from explorer.views.senses.grouping import Grouping, entry
from explorer.views.senses.new_occurrence import CLOSEST, NewOccurrence, new_occurrence
from explorer.views.senses.search import Search
from explorer.views.senses.settings import LAYER, LOCKED, NEW, WORD
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.types import Classification, Model, Occurrences

NEW_DOT = "new"  # the new dot's name; other dots are named after their text or number
EQUAL = 0.005  # a smaller margin is 0.00 in two decimals


def box(settings: kit.Settings) -> None:
    """Draw the box of the new sentence."""
    word = settings[WORD].strip() or _("the word")
    where = _("Where does another sentence with “{word}” land?", word=word)
    kit.text_box(settings, NEW, _("A sentence of your own"), where)


def read(page: kit.OpenPage[Search]) -> tuple[NewOccurrence | None, TextError | None]:
    """The word in the new sentence, or what is wrong with the sentence; neither if there is no sentence."""
    sentence = page.settings[NEW].strip()
    if not sentence:
        return None, None
    try:
        return new_occurrence(page.model, sentence, page.data.occurrences.word), None
    except TextError as error:
        return None, error


def with_new_dot(
    settings: kit.Settings, occurrences: WordOccurrences, groups: Grouping, new: NewOccurrence
) -> dict[str, Any]:
    """The map's data with the new dot, which is the last one and is selected if no other is."""
    last = len(occurrences.matches)
    dot = {
        "id": NEW_DOT,
        "mark": -1,
        "sense": _("the new sentence"),
        "fresh": new.text,
        "pair": "",
        "parts": kit.parts(new.text, new.matches.span[0]),
    }
    more: dict[str, Any] = {
        "dots": [*charts.dots(occurrences, groups), dot],
        "names": [*charts.names(groups), {"text": _("new"), "words": "", "mark": -1, "members": [last]}],
    }
    if occurrences.index(settings[LOCKED]) is None:
        classifications = [classification_of(occurrences, groups, new, stop) for stop in occurrences.stops]
        near = [
            [i for i, cosine in classification.occurrences[:CLOSEST]] for classification in classifications
        ]
        more |= {"locked": NEW_DOT, "near": near}
    return more


def draw_verdict(
    settings: kit.Settings, occurrences: WordOccurrences, groups: Grouping, new: NewOccurrence
) -> list[dict[str, Any]]:
    """Draw the nearest sense and the margin; returns the closest sentences as the entries of a list."""
    classified = classification_of(occurrences, groups, new, settings[LAYER])
    first, then = verdict(classified, groups.from_clusters, plain=kit.for_class())
    st.html(f'<p class="rb-how" style="font-size:20px">{first}</p><p class="rb-point">{then}</p>')
    return [
        entry(occurrences, groups, i) | {"cosine": "" if kit.for_class() else localised(f"{cosine:.2f}")}
        for i, cosine in classified.occurrences[:CLOSEST]
    ]


def verdict(
    classified: "Classification", from_clusters: bool = False, plain: bool = False
) -> tuple[str, str]:
    """The nearest sense with its margin, and how far out the new occurrence lies, as two HTML texts.

    They are `plain` without cosines, and without how far out it lies, which a map of two directions need not
    show.
    """
    if not classified.senses:
        return _("There are no senses to compare it with."), _("Tag sentences with their #sense.")
    first = classified.senses[0]
    name = kit.quoted(first.sense)
    cosines = ", ".join(
        f"{kit.quoted(near.sense)} {localised(f'{near.cosine:.2f}')}" for near in classified.senses
    )
    sentence = _("Nearest to <b>{name}</b>.", name=name)
    if (margin := classified.margin) is not None:
        second = kit.quoted(classified.senses[1].sense)
        if margin < EQUAL:
            sentence = _("As near to <b>{name}</b> as to <b>{second}</b>.", name=name, second=second)
        elif not plain:
            sentence = _(
                "Nearest to <b>{name}</b>, ahead of {second} by {margin}.",
                name=name,
                second=second,
                margin=localised(f"{margin:.2f}"),
            )
    if plain:
        return sentence, ""
    inside, count = first.size - first.farther, first.size
    if count < 3:
        out = ngettext(
            "With only {count} “{name}” sentence, nobody can say which distance is usual.",
            "With only {count} “{name}” sentences, nobody can say which distance is usual.",
            count,
            name=name,
        )
    elif first.farther == 0:
        farther = (
            N_("But it lies farther out than all {count} “{name}” sentences: perhaps this is another group.")
            if from_clusters
            else N_(
                "But it lies farther out than all {count} “{name}” sentences: perhaps this is another sense."
            )
        )
        out = _(farther, count=count, name=name)
    elif inside == 0:
        out = _(
            "It is closer to the average “{name}” vector than any of the {count} “{name}” sentences.",
            count=count,
            name=name,
        )
    else:
        out = _(
            "It is farther from the average “{name}” vector than {inside} of the {count} “{name}” sentences.",
            inside=inside,
            count=count,
            name=name,
        )
    return sentence, close_up(f"{out} {_('Cosines to the means: {cosines}.', cosines=cosines)}")


def export(
    settings: kit.Settings, occurrences: WordOccurrences, groups: Grouping, new: NewOccurrence
) -> kit.Export:
    """The cosines of the new sentence to every sense and every occurrence."""
    name, layer = f"{occurrences.word}-new-sentence.csv", settings[LAYER]
    return kit.Export(
        N_("The new sentence’s cosines"), name, lambda: _cosines(occurrences, groups, new, layer)
    )


def example(page: kit.OpenPage[Search], new: NewOccurrence) -> WordExample:
    """The nearest sense, and the closest sentences."""
    inputs = ("model", "texts", "occurrences", "labels")
    return WordExample(page, nearest_sense, *inputs, sentence=new.text, layer=page.settings[LAYER])


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


def _cosines(occurrences: WordOccurrences, groups: Grouping, new: NewOccurrence, layer: int) -> str:
    """A CSV row for every sense and every occurrence, with its cosine to the new occurrence."""
    classified = classification_of(occurrences, groups, new, layer)
    rows: list[list[Any]] = [["mean", near.sense, "", near.cosine] for near in classified.senses]
    rows += [
        ["occurrence", groups.name(i), occurrences.text(i), cosine] for i, cosine in classified.occurrences
    ]
    return kit.table(["of", "sense", "sentence", "cosine"], rows)


def classification_of(
    occurrences: WordOccurrences, groups: Grouping, new: NewOccurrence, stop: int
) -> "Classification":
    """The groups, and the occurrences, by how near the new one is to them at a stop of the slider."""
    from explorer.analysis.senses.classify import classify

    names = [groups.name(i) or None for i in range(len(occurrences.matches))]
    return classify(new.at(stop), occurrences.at(stop), names)
