"""The meaning of labels, the sentence that views read, and the choice among our own sentences."""

import streamlit as st

from explorer import analysis, assets
from explorer.views import kit
from explorer.views.probing.settings import ARC_HEAD, TEXT
from explorer.views.types import LanguageModel, WordStates

TASKS = {
    "tag": "Part of speech",
    "relation": "Dependency relation",
    "entity": "Named-entity type",
    "arcs": "Arcs",
}
LABELS = assets.table(assets.LABELS)
PLAIN = {  # parts of speech as a school’s dictionary has them
    "ADJ": "adj.",
    "ADP": "prep.",
    "ADV": "adverb",
    "AUX": "aux.",
    "CCONJ": "conj.",
    "DET": "article",
    "INTJ": "excl.",
    "NUM": "number",
    "PART": "particle",
    "PRON": "pronoun",
    "PROPN": "name",
    "PUNCT": "mark",
    "SCONJ": "conj.",
    "SYM": "symbol",
    "X": "other",
}
LONGEST = 60  # words of a sentence


def meaning(task: str, label: str) -> str:
    """A label in plain words: NOUN is a noun, obj the object."""
    meanings: dict[str, str] = LABELS[task] | (LABELS["treebank"] if task == "relation" else {})
    return meanings.get(label, label)


def written(task: str, label: str) -> str:
    """A label as a cell shows it: a dash for a word that is no part of a name; for a class in plain words."""
    if task == "tag" and kit.for_class():
        return PLAIN.get(label, label.lower())
    return "–" if (task, label) == ("entity", "O") else label


def layer_name(layer: int) -> str:
    """A layer's name; layer 0 is the embedding."""
    return f"layer {layer}" if layer else "layer 0 (embedding)"


def ask(settings: kit.Settings) -> None:
    """Draw the box of the sentence, and a list of our sentences whose trees are known."""
    row = st.container(key="probing-sentence", horizontal=True, vertical_alignment="top", gap="small")
    with row:
        kit.text_box(settings, TEXT, "Your sentence", "Type a sentence", resets=[ARC_HEAD.to(0)])
        with st.popover(
            "Our parsed sentences", help="Sentences whose parts of speech, arcs and names are known"
        ):
            for number, sentence in enumerate(analysis.probing.own_sentences()):
                st.button(
                    sentence.text,
                    key=f"probing/own/{number}",
                    type="tertiary",
                    on_click=lambda text=sentence.text: settings.set(TEXT.to(text), ARC_HEAD.to(0)),
                )


def read(text: str) -> "analysis.probing.Sentence":
    """A text as a sentence of at most LONGEST words, with its tree if it is one of ours.

    Raises TextError for an empty text.
    """
    from explorer.analysis.probing.annotated import find_own_sentence
    from explorer.analysis.probing.sentences import Sentence, split

    sentence = find_own_sentence(text) or split(text)
    return sentence if len(sentence) <= LONGEST else Sentence(sentence.text, sentence.spans[:LONGEST])


@kit.kept(64)
def states(model: "LanguageModel", text: str) -> "WordStates":
    """The hidden states of a sentence's words, cached for all visitors."""
    return analysis.probing.states_of(model, read(text))


def best_layer(name: str, task: str) -> int:
    """The layer with a model's highest score on the test sentences; for arcs, by UUAS."""
    from explorer.analysis.probing.shipped import config

    measured = analysis.probing.figures()["models"][name][task]
    scores = measured[str(config()["rank"])] if task == "arcs" else measured["linear"]
    return int(scores.index(max(scores)))


def cut_note(settings: kit.Settings) -> str:
    """A note if a text has more words than are shown; else empty."""
    from explorer.analysis.probing.sentences import split

    return f"The first {LONGEST} words are shown." if len(split(settings[TEXT])) > LONGEST else ""
