"""Watch it happen: each fact of a sentence is in the row of the first layer whose probe predicts it."""

from collections import Counter
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.probing import words
from explorer.views.probing.presets import BEST, WATCH
from explorer.views.probing.settings import TEXT, WATCH_LAYER
from explorer.views.widgets.registry import component, component_value

if TYPE_CHECKING:
    from explorer.analysis.probing import Fact, Sentence
    from explorer.models import Model


KINDS = {"tag": "part of speech", "arc": "arc", "relation": "relation", "entity": "name"}


def controls(page: OpenPage[None]) -> None:
    """The sentence."""
    words.ask(page.settings)


def draw(page: OpenPage[None]) -> Saves:
    """Draw the grid of facts, with a last row for those that no probe predicts."""
    from explorer.analysis.probing import facts

    settings = page.settings
    sentence = words.read(settings[TEXT])
    if not sentence.heads:
        raise TextError(
            "The right answers for this sentence are not known.", "Choose one of ours, with its tree."
        )
    facts_found = facts(page.model, words.states(page.model, settings[TEXT]), sentence)
    depth = len(facts_found[0].right)
    columns = sorted({fact.word for fact in facts_found})

    def row(name: str, kind: str, layer: int | None) -> dict[str, Any]:
        return _row(name, kind, sentence, [fact for fact in facts_found if fact.first == layer], columns)

    rows = [row(words.layer_name(layer), "facts", layer) for layer in range(depth)]
    if any(fact.first is None for fact in facts_found):
        rows.append(row("never", "never", None))
    layer = settings[WATCH_LAYER]
    settings.label(WATCH_LAYER, "Layer", {BEST: "the last"}.get)

    def moved() -> None:
        if (at := component_value("probing/watch", "layer")) is not None:
            settings.set(WATCH_LAYER.to(BEST if at >= depth - 1 else int(at)))

    component("probing/grid")(
        key="probing/watch",
        data={
            "label": "The layer at which each fact can first be read",
            "columns": [{"text": sentence.words[at], "note": "", "chosen": False} for at in columns],
            "ask": "",
            "rows": rows,
            "layer": depth - 1 if layer == BEST else min(layer, depth - 1),
            "captions": [_caption(facts_found, at) for at in range(depth)],
        },
        on_layer_change=moved,
    )
    st.html(
        '<p class="rb-quiet" style="margin:0">NOUN: part of speech. – water: an arc with it. obj: '
        "the relation of that arc. person: type of name.</p>"
    )
    return [Picture("picture", "facts"), Export("Facts", "facts.csv", lambda: _table(sentence, facts_found))]


def reading(page: OpenPage[None]) -> Reading:
    """How to read it."""
    return Reading(
        "Each fact stands in the row of the lowest layer whose probe says it; play lets the rows come one "
        "by one. What no probe says stands at the bottom.",
        "Which fact comes first depends on the probe too: arcs are found by another kind of probe than "
        "labels. A fact may be lost again in a higher layer; hover tells at which layers it can be read.",
    )


def example(page: OpenPage[None]) -> Example:
    """The same numbers from Python."""
    return Example(first_layers, model=Load(str(page.model.checkpoint)), text=page.settings[TEXT])


def first_layers(model: "Model", text: str) -> list[tuple[str, str, str, int | None]]:
    """Each fact of one of our sentences: kind, word, label, and the first layer whose probe predicts it."""
    from explorer.analysis import probing
    from explorer.analysis.probing.facts import find_own_sentence

    sentence = find_own_sentence(text) or probing.split(text)
    facts = probing.facts(model, probing.states_of(model, sentence), sentence)
    return [(fact.kind, sentence.words[fact.word], fact.label, fact.first) for fact in facts]


def _row(
    name: str, kind: str, sentence: "Sentence", here: list["Fact"], columns: list[int]
) -> dict[str, Any]:
    """The cells of one row: the facts of each word that has any."""
    facts_by_word = {word: [fact for fact in here if fact.word == word] for word in columns}
    cells = [
        {
            "chips": [{"text": _short(sentence, fact), "kind": fact.kind} for fact in facts],
            "tip": "\n".join(_fact_text(sentence, fact) for fact in facts),
        }
        for facts in facts_by_word.values()
    ]
    return {"name": name, "kind": kind, "cells": cells}


def _short(sentence: "Sentence", fact: "Fact") -> str:
    if fact.kind == "arc":
        return f"– {sentence.words[fact.head]}"
    return words.meaning("entity", fact.label) if fact.kind == "entity" else fact.label


def _fact_text(sentence: "Sentence", fact: "Fact") -> str:
    """A fact in words, and the layers whose probes predict it."""
    word = f"“{sentence.words[fact.word]}”"
    other = f"“{sentence.words[fact.head]}”"
    text = {
        "tag": f"{word} is {fact.label}, {words.meaning('tag', fact.label)}",
        "arc": f"an arc joins {word} and {other}",
        "relation": f"{word} depends on {other} as {fact.label}, {words.meaning('relation', fact.label)}"
        if fact.kind == "relation"
        else "",
        "entity": f"{word} is a name: {words.meaning('entity', fact.label)}" if fact.kind == "entity" else "",
    }[fact.kind]
    layers = ["emb" if layer == 0 else str(layer) for layer, right in enumerate(fact.right) if right]
    return f"{text}; read at {', '.join(layers)}" if layers else f"{text}; read at no layer"


def _caption(facts: list["Fact"], layer: int) -> str:
    """How many facts of each kind have been predicted up to a layer."""
    totals = Counter(fact.kind for fact in facts)
    counts = Counter(fact.kind for fact in facts if fact.first is not None and fact.first <= layer)
    listed = ", ".join(f"{KINDS[kind]} {counts[kind]} of {totals[kind]}" for kind in KINDS if totals[kind])
    return f"By {words.layer_name(layer)}: {listed}"


def _table(sentence: "Sentence", facts: list["Fact"]) -> str:
    rows = [
        [
            fact.kind,
            fact.word + 1,
            sentence.words[fact.word],
            fact.label,
            sentence.words[fact.head] if fact.head >= 0 else "",
            "" if fact.first is None else fact.first,
            " ".join(str(layer) for layer, right in enumerate(fact.right) if right),
        ]
        for fact in facts
    ]
    return table(["fact", "place", "word", "label", "head", "first_layer", "layers"], rows)


VIEW = View(
    label="Watch it happen",
    first=Hints(
        "Most parts of speech are there in the embedding; arcs and relations come in later rows.",
        "Press play, then choose another model: where do its facts appear?",
    ),
    settings=(WATCH_LAYER,),
    presets=WATCH,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
