"""Find a head: draw arcs from word to word; the heads that draw them too light up."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.saving import Picture, offer
from explorer.views.frame.settings import Settings
from explorer.views.heads import found as heads_found
from explorer.views.heads import head_map
from explorer.views.heads import sentence as heads_sentence
from explorer.views.heads.found import LISTED
from explorer.views.heads.head_map import FAINTEST, Head, name
from explorer.views.heads.presets import FIND as PRESETS

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.words import Word
    from explorer.models import LanguageModel
    from explorer.trace import Trace

__all__ = ["PRESETS", "code", "draw", "how"]

MOST_ARCS = 12
MERGED = (
    "Words of several pieces are merged: attention to them summed, from them averaged (Clark et al. 2019)."
)
BY = {"attention": "By attention", "margin": "Over distance"}


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The sentence to draw on, the map that lights up, the heads in order."""
    from explorer.analysis import heads
    from explorer.analysis.heads.behaviours import is_causal

    if settings["by"] not in BY:
        settings.set(by="attention")
    heads_sentence.box(settings, arcs=[], found=None)
    trace = heads_sentence.trace(settings, model)
    words, pattern = between_words(trace, settings["rescale"])
    drawn = read(settings["arcs"], len(words))
    causal = is_causal(trace.attention.pattern) and len(words) > 1
    found = heads.find(pattern, drawn) if drawn else None
    size = pattern.shape[:2]
    head = head_map.held(settings["found"], *size)
    if head is None and found is not None:
        head = found.ranking(settings["by"])[0]
        head = head.layer, head.head
    _controls(settings, trace)
    offer(settings, Picture("heads-picture", f"heads-found-{settings['model']}"))
    with st.container(key="heads-picture", gap="xsmall"):
        _sentence(settings, words, pattern, drawn, head, causal)
        if found is None:
            heads_found.invite(settings, size, head)
        else:
            heads_found.results(settings, model, found, drawn, head, causal)


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    if settings["by"] == "margin":
        return (
            "What a head gives your arcs, less what it gives on average to pairs as far apart in the same "
            "direction: near 0 for a head that goes by distance alone.",
            f"One sentence is an anecdote: the map of kinds says what a head does on five hundred. {MERGED}",
        )
    return (
        "A cell says how much of its attention a head gives along your arcs, on average; the best glow.",
        "One sentence is an anecdote, and an arc to a neighbour lights up every head that looks at "
        f"neighbours: “Over distance” takes that off. {MERGED}",
    )


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same ranking from Python."""
    arcs = [tuple(arc) for arc in read(settings["arcs"], LIVE_TOKENS)]
    own = (
        ""
        if settings["rescale"]
        else """
ordinary = [i for i, group in enumerate(groups) if not trace.encoding.special[group[0]]]
pattern = pattern[..., ordinary, :][..., ordinary]"""
    )
    return f"""import explorer
from explorer.analysis import heads
from explorer.analysis.attention.weights import patterns

trace = explorer.load({settings["model"]!r}).trace({settings["text"]!r}, limit={LIVE_TOKENS})
found = patterns(trace, hide_special={settings["rescale"]}, merge_words=True)
groups, pattern = found.groups, found.pattern  # [layer, head, word, word]{own}
for one in heads.find(pattern, {arcs}).ranking({settings["by"]!r})[:{LISTED}]:
    print(one)"""


def between_words(trace: "Trace", rescale: bool) -> "tuple[list[Word], Tensor]":
    """A text's words without the special tokens, and what every head gives from each to each.

    With `rescale`, rows sum to 1 over these words; else the rest of each row lies on special tokens.
    """
    from explorer.analysis.attention.weights import patterns
    from explorer.analysis.words import words

    every = words(trace.encoding)
    pattern = patterns(trace, hide_special=rescale, merge_words=True).pattern
    if not rescale:
        ordinary = [i for i, word in enumerate(every) if not word.special]
        pattern = pattern[..., ordinary, :][..., ordinary]
    return [word for word in every if not word.special], pattern


def read(setting: Any, words: int) -> list[tuple[int, int]]:
    """The arcs of a link that lie within the text, each once."""
    found = [
        (one[0], one[1])
        for one in (setting if isinstance(setting, list) else [])
        if isinstance(one, list) and len(one) == 2 and all(type(i) is int and 0 <= i < words for i in one)
    ]
    return list(dict.fromkeys(arc for arc in found if arc[0] != arc[1]))[:MOST_ARCS]


def _sentence(
    settings: Settings,
    words: "list[Word]",
    pattern: "Tensor",
    drawn: list[tuple[int, int]],
    head: Head | None,
    causal: bool,
) -> None:
    lines = []
    if head is not None:
        one = pattern[head]
        lines = [
            {"from": q, "to": k, "weight": float(one[q, k]), "kind": ""}
            for q, k in (one >= FAINTEST).nonzero().tolist()
        ]
    says = "Click a word, then the word that it should look at."
    if head is not None:
        says = f"What {name(head)} looks at" + (", under your arcs" if drawn else "")
    hint = "two clicks draw another arc" if len(drawn) < MOST_ARCS else f"{MOST_ARCS} arcs are the most"
    head_map.arcs(
        "heads/draw",
        "Your sentence; choose a word, then the word it should look at",
        [{"text": word.text or "␣", "quiet": False} for word in words],
        sorted(lines, key=lambda arc: arc["weight"]),
        says=says,
        hint=hint if drawn else "",
        head=name(head) if head else "",
        message="" if words else "Type a sentence above, or try one below.",
        causal=causal,
        drawn=drawn,
        on_draw=lambda start, end: settings.set(
            arcs=[list(arc) for arc in dict.fromkeys([*drawn, (start, end)])][:MOST_ARCS], found=None
        ),
        on_erase=lambda start, end: settings.set(
            arcs=[list(arc) for arc in drawn if arc != (start, end)], found=None
        ),
    )


def _controls(settings: Settings, trace: "Trace") -> None:
    with st.container(key="heads-find-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        st.segmented_control(
            "Order", list(BY), key=settings.key("by"), format_func=BY.get, required=True, width="content",
            label_visibility="collapsed", on_change=lambda: settings.set(found=None),
        )  # fmt: skip
        if bool(trace.encoding.special.any()):
            st.toggle(
                "Leave special tokens out", key=settings.key("rescale"),
                help="Each row is then rescaled to sum to 1 over the words",
            )  # fmt: skip
        st.button(
            "Clear the arcs", key="heads/clear", disabled=not settings["arcs"],
            on_click=lambda: settings.set(arcs=[], found=None),
        )  # fmt: skip
