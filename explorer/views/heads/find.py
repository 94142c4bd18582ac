"""Find a head: draw arcs from word to word; the heads that attend along them light up."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.saving.saving import Picture
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.heads import examples, found_heads, head_map, presets, sentence
from explorer.views.heads.found_heads import LISTED
from explorer.views.heads.head_map import FAINTEST, Head, name
from explorer.views.heads.settings import ARCS, BY, FOUND_HEAD, MODEL, RESCALE, TEXT
from explorer.views.settings.settings import Settings
from explorer.views.widgets.controls import segments
from explorer.views.widgets.token_text import MERGED

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.heads import Report
    from explorer.analysis.words import Word


MOST_ARCS = 12
ORDERS = {"attention": "By attention", "margin": "Beyond distance"}


def controls(page: "OpenPage[Report | None]") -> None:
    """The sentence, how heads are ranked, and whether special tokens count."""
    settings = page.settings
    settings.restrict(BY, ORDERS)
    sentence.box(settings)
    trace = sentence.trace(settings, page.model)
    with st.container(key="heads-find-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        segments(
            settings,
            BY,
            "Order",
            ORDERS,
            width="content",
            on_change=lambda: settings.set(FOUND_HEAD.to(None)),
        )
        if bool(trace.encoding.special.any()):
            st.toggle(
                "Leave special tokens out",
                key=settings.key(RESCALE, "Leave special tokens out"),
                help="Each row is then rescaled to sum to 1 over the words",
            )
        st.button(
            "Clear the arcs",
            key="heads/clear",
            disabled=not settings[ARCS],
            on_click=lambda: settings.set(ARCS.to([]), FOUND_HEAD.to(None)),
        )


def draw(page: "OpenPage[Report | None]") -> Saves:
    """The sentence to draw on, the map of all heads, and the best heads in order."""
    from explorer.analysis import heads
    from explorer.analysis.attention.weights import between_words
    from explorer.trace import captured

    settings = page.settings
    trace = sentence.trace(settings, page.model)
    words, pattern = between_words(trace, settings[RESCALE])
    arcs = read_arcs(settings[ARCS], len(words))
    causal = captured(trace.attention).causal and len(words) > 1
    matches = heads.find(pattern, arcs) if arcs else None
    size = pattern.shape[0], pattern.shape[1]
    head = head_map.read_head(settings[FOUND_HEAD], *size)
    if head is None and matches is not None:
        best = matches.ranking(settings[BY])[0]
        head = best.layer, best.head
    picture = Picture("heads-picture", f"heads-found-{settings[MODEL]}")
    with st.container(key="heads-picture", gap="xsmall"):
        _sentence(settings, words, pattern, arcs, head, causal)
        if matches is None or head is None:
            found_heads.invitation(settings, size, head)
            return [picture]
        return [picture, found_heads.results(settings, page.data, matches, arcs, head, causal)]


def reading(page: "OpenPage[Report | None]") -> Reading:
    """How to read the map, and a caveat."""
    if page.settings[BY] == "margin":
        more = ": “Kinds of head” says what a head does on 500" if "en" in page.model.languages else ""
        return Reading(
            "What a head gives along your arcs, minus what it gives on average to words as far apart in the "
            "same direction: near 0 for a head that goes by distance alone.",
            f"One sentence is an anecdote{more}. {MERGED}",
        )
    return Reading(
        "A cell says how much of its attention a head gives along your arcs, on average; the best glow.",
        "One sentence is an anecdote, and an arc to a neighbour lights up every head that looks at "
        f"neighbours: “Beyond distance” subtracts that. {MERGED}",
    )


def example(page: "OpenPage[Report | None]") -> Example:
    """The same ranking from Python."""
    settings = page.settings
    trace = sentence.trace(settings, page.model)
    return Example(
        examples.heads_that_draw,
        model=Load(settings[MODEL]),
        text=settings[TEXT],
        arcs=read_arcs(settings[ARCS], len(trace.encoding)),
        by=settings[BY],
        rescale=settings[RESCALE],
        top=LISTED,
        limit=LIVE_TOKENS,
    )


def read_arcs(setting: Any, words: int) -> list[tuple[int, int]]:
    """The arcs of a setting that lie within a text of that many words, without repeats."""
    pairs = [
        (pair[0], pair[1])
        for pair in (setting if isinstance(setting, list) else [])
        if isinstance(pair, list) and len(pair) == 2 and all(type(i) is int and 0 <= i < words for i in pair)
    ]
    return list(dict.fromkeys(arc for arc in pairs if arc[0] != arc[1]))[:MOST_ARCS]


def _sentence(
    settings: Settings,
    words: "list[Word]",
    pattern: "Tensor",
    arcs: list[tuple[int, int]],
    head: Head | None,
    causal: bool,
) -> None:
    lines = []
    if head is not None:
        weights = pattern[head]
        lines = [
            {"from": q, "to": k, "weight": float(weights[q, k]), "kind": ""}
            for q, k in (weights >= FAINTEST).nonzero().tolist()
        ]
    caption = "Click a word, then the word that it should look at."
    if head is not None:
        caption = f"What {name(head)} looks at" + (", under your arcs" if arcs else "")
    hint = "two clicks draw another arc" if len(arcs) < MOST_ARCS else f"{MOST_ARCS} arcs are the most"
    head_map.arcs(
        "heads/draw",
        "Your sentence; choose a word, then the word it should look at",
        [{"text": word.text or "␣", "quiet": False} for word in words],
        sorted(lines, key=lambda arc: arc["weight"]),
        caption=caption,
        hint=hint if arcs else "",
        head=name(head) if head else "",
        message="" if words else "Type a sentence above, or try one below.",
        causal=causal,
        drawn_arcs=arcs,
        on_draw=lambda start, end: settings.set(
            ARCS.to([list(arc) for arc in dict.fromkeys([*arcs, (start, end)])][:MOST_ARCS]),
            FOUND_HEAD.to(None),
        ),
        on_erase=lambda start, end: settings.set(
            ARCS.to([list(arc) for arc in arcs if arc != (start, end)]), FOUND_HEAD.to(None)
        ),
    )


VIEW = View(
    label="Find a head",
    audience="For those who look for a head that does something of their own choice.",
    first=Hints(
        "The arc asks which heads look from “her” to “she”. The ones that do are framed.",
        "Click “painter” and then “she” to draw another arc.",
    ),
    settings=(ARCS, BY, RESCALE, FOUND_HEAD),
    presets=presets.FIND,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
