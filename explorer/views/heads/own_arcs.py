"""A kind of head of one's own: arcs that the visitor draws from word to word, and the heads along them."""

from typing import Any

from explorer.locale import N_, _, ngettext
from explorer.views.heads import head_map
from explorer.views.heads.head_map import FAINTEST, Head, name
from explorer.views.heads.scores import HeadScores
from explorer.views.heads.settings import ARCS, HEAD
from explorer.views.settings.settings import Settings
from explorer.views.types import Found, Trace
from explorer.views.widgets.layer_names import read_head
from explorer.views.widgets.numbers import whole_percent

MOST_ARCS = 12
INVITATION = N_(
    "Press a word, then the word that it should look at: a noun and its verb, a word and the same word "
    "earlier. With several arcs, a head has to do all of them."
)


def read_arcs(setting: Any, words: int) -> list[tuple[int, int]]:
    """The arcs of a setting that lie within a text of that many words, without repeats."""
    pairs = [
        (pair[0], pair[1])
        for pair in (setting if isinstance(setting, list) else [])
        if isinstance(pair, list) and len(pair) == 2 and all(type(i) is int and 0 <= i < words for i in pair)
    ]
    return list(dict.fromkeys(arc for arc in pairs if arc[0] != arc[1]))[:MOST_ARCS]


def scores(settings: Settings, trace: "Trace") -> HeadScores:
    """How much of its attention each head gives along the arcs, on average; nan without an arc.

    The notes are on the chosen head, or on the best one.
    """
    import torch

    from explorer.analysis import heads
    from explorer.analysis.attention.weights import between_words

    words, pattern = between_words(trace)
    arcs = read_arcs(settings[ARCS], len(words))
    heading = _("share of attention along your arcs")
    if not arcs:
        return HeadScores(torch.full(pattern.shape[:2], torch.nan), heading, "%", notes=[_(INVITATION)])
    matches = heads.find(pattern, arcs)
    head = read_head(settings[HEAD], *pattern.shape[:2]) or head_map.best(matches.attention)
    return HeadScores(matches.attention, heading, "%", notes=_notes(matches, arcs, head, _is_causal(trace)))


def sentence(settings: Settings, trace: "Trace", head: Head) -> None:
    """Draw the words with the head's attention over them, and the visitor's arcs under them."""
    from explorer.analysis.attention.weights import between_words

    words, pattern = between_words(trace)
    arcs = read_arcs(settings[ARCS], len(words))
    is_shown = bool(arcs) or settings[HEAD] is not None
    weights = pattern[head]
    lines = [
        {"from": q, "to": k, "weight": float(weights[q, k]), "kind": ""}
        for q, k in (weights >= FAINTEST).nonzero().tolist()
        if is_shown
    ]
    if len(arcs) < MOST_ARCS:
        hint = _("two presses draw another arc")
    else:
        hint = _("{count} arcs are the most", count=MOST_ARCS)
    if not is_shown:
        caption = _("Press a word, then the word that it should look at.")
    elif arcs:
        caption = _("What {head} looks at, under your arcs", head=name(head))
    else:
        caption = _("What {head} looks at", head=name(head))

    def draw(start: int, end: int) -> None:
        more = list(dict.fromkeys([*arcs, (start, end)]))[:MOST_ARCS]
        settings.set(ARCS.to([list(arc) for arc in more]), HEAD.to(None))

    def erase(start: int, end: int) -> None:
        settings.set(ARCS.to([list(arc) for arc in arcs if arc != (start, end)]), HEAD.to(None))

    head_map.arcs(
        "heads/draw",
        _("Your sentence; choose a word, then the word it should look at"),
        [{"text": word.text or "␣", "quiet": False} for word in words],
        sorted(lines, key=lambda arc: arc["weight"]),
        caption=caption,
        hint=hint if arcs else "",
        head=name(head) if is_shown else "",
        message="" if words else _("Type a sentence above, or try one below."),
        causal=_is_causal(trace) and len(words) > 1,
        drawn_arcs=arcs,
        on_draw=draw,
        on_erase=erase,
    )


def _is_causal(trace: "Trace") -> bool:
    from explorer.trace import captured

    return captured(trace.attention).causal


def _notes(matches: "Found", arcs: list[tuple[int, int]], head: Head, causal: bool) -> list[str]:
    """What a head gives by distance alone, and what the figures cannot tell."""
    if not bool(matches.margin.abs().gt(1e-7).any()):
        notes = [_("No other pair of words is as far apart: these arcs cannot be told from distance.")]
    else:
        by_distance = float(matches.attention[head] - matches.margin[head])
        notes = [
            _(
                "To words as far apart {head} gives {share} on average: what it "
                "gives along your arcs beyond that is not distance alone.",
                head=name(head),
                share=whole_percent(by_distance),
            )
        ]
    ahead = sum(key > query for query, key in arcs)
    if causal and ahead:
        notes.append(
            ngettext(
                "{count} of your arcs looks ahead: this model never does, so every head has 0 there.",
                "{count} of your arcs look ahead: this model never does, so every head has 0 there.",
                ahead,
            )
        )
    return notes
