"""The meaning of labels, the sentence that views read, and the choice among our own sentences."""

import streamlit as st

from explorer import analysis, assets
from explorer.locale import N_, _, translate
from explorer.views import kit
from explorer.views.probing.settings import ARC_HEAD, TEXT
from explorer.views.types import LanguageModel, WordStates

TASKS = {
    "tag": N_("Part of speech"),
    "relation": N_("Dependency relation"),
    "entity": N_("Named-entity type"),
    "arcs": N_("Arcs"),
}
LABELS = assets.table(assets.LABELS)
PLAIN = {  # parts of speech as a school’s dictionary has them
    "ADJ": N_("adj."),
    "ADP": N_("prep."),
    "ADV": N_("adverb"),
    "AUX": N_("aux."),
    "CCONJ": N_("conj."),
    "DET": N_("article"),
    "INTJ": N_("excl."),
    "NOUN": N_("noun"),
    "NUM": N_("number"),
    "PART": N_("particle"),
    "PRON": N_("pronoun"),
    "PROPN": N_("name"),
    "PUNCT": N_("mark"),
    "SCONJ": N_("conj."),
    "SYM": N_("symbol"),
    "VERB": N_("verb"),
    "X": N_("other"),
}
LONGEST = 60  # words of a sentence


def meaning(task: str, label: str) -> str:
    """A label in plain words: NOUN is a noun, obj the object."""
    meanings: dict[str, str] = LABELS[task] | (LABELS["treebank"] if task == "relation" else {})
    return translate(meanings[label]) if label in meanings else label


def written(task: str, label: str) -> str:
    """A label as a cell shows it: a dash for a word that is no part of a name; for a class in plain words."""
    if task == "tag" and kit.for_class():
        return _(PLAIN.get(label, label.lower()))
    return "–" if (task, label) == ("entity", "O") else label


def layer_name(layer: int) -> str:
    """A layer's name; layer 0 is the embedding."""
    return _("layer {n}", n=layer) if layer else _("layer 0 (embedding)")


def ask(settings: kit.Settings) -> None:
    """Draw the box of the sentence, and a list of our sentences whose trees are known."""
    row = st.container(key="probing-sentence", horizontal=True, vertical_alignment="top", gap="small")
    with row:
        kit.text_box(settings, TEXT, _("Your sentence"), _("Type a sentence"), resets=[ARC_HEAD.to(0)])
        with st.popover(
            _("Our parsed sentences"), help=_("Sentences whose parts of speech, arcs and names are known")
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

    is_cut = len(split(settings[TEXT])) > LONGEST
    return _("The first {count} words are shown.", count=LONGEST) if is_cut else ""
