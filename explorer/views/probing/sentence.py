"""On your sentence: the label that each layer's probe predicts for each word, and its probability."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _, localised
from explorer.views import kit
from explorer.views.probing import words
from explorer.views.probing.settings import ARC_HEAD, TASK, TEXT
from explorer.views.types import LabelProbabilities, Model

if TYPE_CHECKING:
    from explorer.analysis.probing import Sentence


TASKS = ("tag", "relation", "entity")
TOP = 3  # labels in a tooltip
FULLEST = 0.7  # the share of the hue at probability 1; dark letters stay legible on it


def controls(page: kit.OpenPage[None]) -> None:
    """The sentence, and the task."""
    settings = page.settings
    with st.container(gap="xsmall"):
        words.ask(settings)
        tasks = {task: _(words.TASKS[task]) for task in TASKS}
        kit.segments(settings, TASK, _("Task"), tasks, width="content")


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Draw the labels, a row for each layer and a column for each word."""
    settings, task = page.settings, page.settings[TASK]
    sentence = words.read(settings[TEXT])
    heads = _heads(page, sentence) if task == "relation" else []
    predictions = _predictions(page, sentence, heads)
    _grid(settings, predictions)
    states = words.states(page.model, settings[TEXT])
    notes = [words.cut_note(settings)]
    if not states.has_state.all():
        pairs = zip(sentence.words, states.has_state.tolist(), strict=True)
        left = [word for word, has_state in pairs if not has_state]
        names = ", ".join(map(kit.quoted, dict.fromkeys(left)))
        notes.append(_("No vector, so the probe sees zeros: {words}.", words=names))
    if task == "relation":
        notes.insert(0, _which_arcs(predictions))
    explained = meanings(predictions)
    if task == "tag" and kit.for_class():  # what is no plain word
        explained = {label: name for label, name in explained.items() if label.endswith(".")}
    legend = [f"<b>{escape(label)}</b> {escape(name)}" for label, name in explained.items()]
    notes.insert(0, " · ".join(legend))
    if text := " ".join(filter(None, notes)):
        kit.note_html(text)
    return [
        kit.Picture("picture", f"{task}-by-layer"),
        kit.Export(N_("What is read"), f"{task}-by-layer.csv", lambda: _table(sentence, predictions)),
    ]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same numbers from Python."""
    settings = page.settings
    sentence = words.read(settings[TEXT])
    heads = _heads(page, sentence) if settings[TASK] == "relation" else []
    model = kit.Load(str(page.model.checkpoint))
    return kit.Example(labels, model=model, text=settings[TEXT], task=settings[TASK], heads=list(heads))


def labels(model: "Model", text: str, task: str, heads: list[int]) -> list[list[tuple[str, float]]]:
    """For each layer, the most probable label of each word, with its probability.

    Relations are those of the arcs from `heads`, an index for each word; -1 has none.
    """
    from explorer.analysis import probing
    from explorer.analysis.probing.annotated import find_own_sentence

    sentence = find_own_sentence(text) or probing.split(text)
    states = probing.states_of(model, sentence)
    predictions = probing.labels_by_layer(model, states, task, heads)
    layers = range(len(predictions.probabilities))
    return [[predictions.best(layer, place) for place in range(len(predictions.words))] for layer in layers]


def _predictions(
    page: kit.OpenPage[None], sentence: "Sentence", heads: Sequence[int]
) -> "LabelProbabilities":
    states = words.states(page.model, page.settings[TEXT])
    return analysis.probing.labels_by_layer(page.model, states, page.settings[TASK], heads)


def _heads(page: kit.OpenPage[None], sentence: "Sentence") -> list[int]:
    """Each word's head, -1 for the root: from the tree if it is known, else the chosen word for all."""
    chosen = page.settings[ARC_HEAD] - 1
    if 0 <= chosen < len(sentence):
        return [-1 if word == chosen else chosen for word in range(len(sentence))]
    if sentence.heads:
        return list(sentence.heads)
    return [-1 if word == (verb := _verb(page, sentence)) else verb for word in range(len(sentence))]


def _verb(page: kit.OpenPage[None], sentence: "Sentence") -> int:
    """The word with the highest probability of VERB by the tag probe of the best layer."""
    from explorer.analysis.probing import labels_by_layer

    predictions = labels_by_layer(page.model, words.states(page.model, page.settings[TEXT]), "tag")
    layer = words.best_layer(str(page.model.checkpoint), "tag")
    return int(predictions.probabilities[layer, :, predictions.labels.index("VERB")].argmax())


def _which_arcs(predictions: "LabelProbabilities") -> str:
    if _common_head(predictions) is None:
        return _(
            "The arcs are those of the tree that we marked. Press a word to make all others depend on it."
        )
    return _("Every other word is taken to depend on the framed one, rightly or not. Press another one.")


def _common_head(predictions: "LabelProbabilities") -> int | None:
    """The word that all others depend on; None if the arcs are a tree that is known, or there are none."""
    heads = predictions.heads
    if -1 not in heads or heads == _sentence(predictions).heads:
        return None
    root = heads.index(-1)
    return root if set(heads) <= {-1, root} else None


def _sentence(predictions: "LabelProbabilities") -> "Sentence":
    assert predictions.sentence is not None
    return predictions.sentence


def meanings(predictions: "LabelProbabilities") -> dict[str, str]:
    """The labels in the picture with their meanings, in the order of the words."""
    task = predictions.task
    layers, places = range(len(predictions.probabilities)), range(len(predictions.words))
    best = [predictions.best(layer, place)[0] for place in places for layer in layers]
    labels = [*best, *_by_hand(predictions)]
    return {words.written(task, label): words.meaning(task, label) for label in labels}


def _by_hand(predictions: "LabelProbabilities") -> Sequence[str]:
    """The labels that were marked by hand; for relations, only if the arcs were too."""
    sentence = _sentence(predictions)
    if predictions.task == "relation":
        return sentence.relations if predictions.heads == sentence.heads else ()
    return {"tag": sentence.tags, "entity": sentence.entities}[predictions.task]


def _grid(settings: kit.Settings, predictions: "LabelProbabilities") -> None:
    """Draw the grid; a click on a word makes all others depend on it."""
    columns = _columns(predictions)

    def picked() -> None:
        place = kit.component_value("probing/grid", "pick", range(len(columns)))
        if place is not None:
            word = columns[place] + 1
            settings.set(ARC_HEAD.to(0 if settings[ARC_HEAD] == word else word))

    ask = _("Make the other words depend on this one") if predictions.task == "relation" else ""
    kit.component("probing/grid")(
        key="probing/grid",
        data=picture_data(predictions, kit.palette()) | {"ask": ask, "changing": kit.presenting()},
        on_pick_change=picked,
    )


def _columns(predictions: "LabelProbabilities") -> list[int]:
    """The words of the grid: relations leave out punctuation."""
    from explorer.analysis.probing.sentences import is_mark

    texts = _sentence(predictions).words
    return [at for at, word in enumerate(texts) if predictions.task != "relation" or not is_mark(word)]


def picture_data(predictions: "LabelProbabilities", colours: kit.theme.Palette) -> dict[str, Any]:
    """The data of the component: a row for each layer, a column for each word."""
    task, heads, columns = predictions.task, predictions.heads, _columns(predictions)
    texts, root = _sentence(predictions).words, _common_head(predictions)
    rows = [_row(predictions, columns, layer, colours) for layer in range(len(predictions.probabilities))]
    if by_hand := _by_hand(predictions):
        marked = [at if at in predictions.words else None for at in columns]
        rows.append(_hand_labels(task, by_hand, marked))
    return {
        "label": _("What each layer says about each word: {task}", task=_(words.TASKS[task])),
        "columns": [
            {
                "text": texts[at],
                "note": f"← {texts[heads[at]]}" if heads and root is None and heads[at] >= 0 else "",
                "chosen": at == root,
            }
            for at in columns
        ],
        "ask": "",
        "changing": False,
        "rows": rows,
    }


def _row(
    predictions: "LabelProbabilities", columns: list[int], layer: int, colours: kit.theme.Palette
) -> dict[str, Any]:
    """One layer's cells; for relations, the cell of a word without a head is empty."""
    task, texts = predictions.task, _sentence(predictions).words
    places = {word: place for place, word in enumerate(predictions.words)}
    cells: list[dict[str, Any]] = []
    for word in columns:
        if (place := places.get(word)) is None:
            cells.append({"chips": [], "tip": ""})
            continue
        label, sure = predictions.best(layer, place)
        colour = kit.theme.mix(colours.probability, FULLEST * sure)
        text = words.written(task, label)
        chip = {"text": text, "kind": "", "colour": colour, "ink": kit.theme.text_on(colour)}
        fresh = layer > 0 and predictions.best(layer - 1, place)[0] != label
        tip = _tip(task, texts[word], layer, predictions, place)
        cells.append({"chips": [chip], "tip": tip, "fresh": fresh})
    return {"name": words.layer_name(layer), "kind": "", "cells": cells}


def _hand_labels(task: str, labels: Sequence[str], columns: list[int | None]) -> dict[str, Any]:
    """The row of labels that were marked by hand."""
    cells = [
        {"chips": [], "tip": ""}
        if at is None
        else {
            "chips": [{"text": words.written(task, labels[at]), "kind": ""}],
            "tip": _("Marked by hand: {label}", label=words.meaning(task, labels[at])),
        }
        for at in columns
    ]
    return {"name": _("by hand"), "kind": "known", "cells": cells}


def _tip(task: str, word: str, layer: int, predictions: "LabelProbabilities", place: int) -> str:
    chances = predictions.probabilities[layer, place]
    best = chances.argsort(descending=True)[:TOP].tolist()
    lines = [_("“{word}”, {place}", word=word, place=words.layer_name(layer))]
    for at in best:
        label = predictions.labels[at]
        in_words = words.meaning(task, label)
        name = in_words if words.written(task, label) == "–" or in_words == label else f"{label}, {in_words}"
        lines.append(f"{localised(f'{chances[at].item():.3f}')}  {name}")
    return "\n".join(lines)


def _table(sentence: "Sentence", predictions: "LabelProbabilities") -> str:
    rows = [
        [layer, word + 1, sentence.words[word], label, predictions.probabilities[layer, place, at].item()]
        for layer in range(len(predictions.probabilities))
        for place, word in enumerate(predictions.words)
        for at, label in enumerate(predictions.labels)
    ]
    return kit.table(["layer", "place", "word", "label", "probability"], rows)


VIEW = kit.View(
    text=kit.view_text("probing", "sentence"),
    settings=(ARC_HEAD,),
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(covered=(".row:nth-child(2) .cell", ".row:nth-child(n+3) .cell, .rb-note")),
)
