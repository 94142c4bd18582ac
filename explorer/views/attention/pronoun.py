"""Another head that finds what a pronoun stands for, and how often heads do on our own sentences."""

import streamlit as st

from explorer.locale import _
from explorer.views import kit
from explorer.views.attention.kinds import Head
from explorer.views.attention.sentence import SelectedToken
from explorer.views.attention.settings import HEAD, LAYER, MERGE, MODEL, ON
from explorer.views.types import Trace

PRONOUNS = ("it", "its", "he", "him", "his", "she", "her", "they", "them", "their")
KEY = "attention-pronoun"
LUCK = 0.05  # below this probability the best head is better than heads that guess


def draw(
    settings: kit.Settings, trace: "Trace", pronoun: SelectedToken | None, noun: SelectedToken | None
) -> None:
    """A button for another head that attends most to the noun, and the figure; nothing without a pronoun."""
    if pronoun is None or pronoun.side != "from" or pronoun.word not in PRONOUNS:
        return
    says = [how_often(settings[MODEL], settings[LAYER], settings[HEAD])]
    with st.container(key=KEY):
        if noun is None:
            says.append(
                _(
                    "Press the word that “{word}” stands for, to look for another head that finds it.",
                    word=kit.quoted(pronoun.word),
                )
            )
        else:
            here = (settings[LAYER], settings[HEAD])
            heads = finders(trace, settings[MERGE], pronoun.position, noun.position)
            if other := next_of(heads, here):
                st.button(
                    _("Another head that finds it"),
                    key="attention/another-head",
                    on_click=lambda: settings.set(LAYER.to(other[0]), HEAD.to(other[1]), ON.to(None)),
                )
            else:
                says.append(
                    _("No other head finds it here.") if here in heads else _("No head finds it here.")
                )
        kit.note_html(" ".join(filter(None, says)))


def finders(trace: "Trace", merge: bool, pronoun: int, noun: int) -> list[Head]:
    """The heads in which the pronoun attends to the noun most, best first; special tokens do not count."""
    from explorer.analysis.attention.weights import patterns
    from explorer.analysis.heads import find

    every = patterns(trace, hide_special=True, merge_words=merge)
    rows = [next((i for i, group in enumerate(every.groups) if at in group), -1) for at in (pronoun, noun)]
    if min(rows) < 0:
        return []
    ranking = find(every.pattern, [(rows[0], rows[1])]).ranking()
    return [(one.layer, one.head) for one in ranking if one.first]


def next_of(heads: list[Head], here: Head) -> Head | None:
    """The head after this one, and after the last the first; the first if this one is not among them."""
    at = (heads.index(here) + 1) % len(heads) if here in heads else 0
    return heads[at] if heads and heads[at] != here else None


def how_often(checkpoint: str, layer: int, head: int) -> str:
    """How often this head, the best one and guessing are right; "" for a model that was not measured."""
    from explorer.analysis.heads import pronouns

    scores = None if ":" in checkpoint else pronouns.stored(checkpoint)
    if scores is None:
        return ""
    says = _(
        "On {sentences} sentences of this kind this head chooses the right noun in {right}, the best of all "
        "{heads} heads in {best}; guessing gives {guessing}.",
        sentences=scores.sentences,
        right=int(scores.right[layer, head]),
        heads=scores.right.numel(),
        best=int(scores.right.max()),
        guessing=scores.sentences // 2,
    )
    if scores.chance <= LUCK:
        return says
    return f"{says} {_('So there is no sign that any head of this model knows what a pronoun stands for.')}"
