"""The heads that draw some arcs: they light up on the map, and stand in order beside it."""

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame.saving import Export, table
from explorer.views.frame.settings import Settings
from explorer.views.heads import head_map, scores, sentence
from explorer.views.heads import report as heads_report
from explorer.views.heads.head_map import Head, name, percent
from explorer.views.heads.settings import BY, FOUND, MODEL, TEXT

if TYPE_CHECKING:
    from explorer.analysis.heads import Found, Report

LISTED, LIT = 6, 3


def invite(settings: Settings, size: "tuple[int, int]", head: Head | None) -> None:
    """The map before an arc is drawn: pale, but any head can be chosen."""
    import torch

    grid = torch.zeros(*size)
    left, right = st.columns([58, 42], gap="medium")
    with left:
        head_map.head_map(
            "heads/map",
            "All heads, layers down, heads across; choose one to see it on the sentence",
            grid,
            [cell | {"text": ""} for cell in head_map.share_cells(grid, 1.0, name)],
            lambda layer, h: settings.set(FOUND.to([layer, h])),
            head_map.legend("0", "100", "% of attention"),
            {"chosen": [head] if head else []},
        )
    right.html(
        '<p class="rb-how">Which head looks from here to there?</p>'
        '<p class="rb-point">Click a word, then the word that it should look at: a noun and its verb, a word '
        "same word earlier. With several arcs, a head has to do all of them.</p>"
    )


def results(
    settings: Settings,
    report: "Report | None",
    found: "Found",
    drawn: list[tuple[int, int]],
    head: Head,
    causal: bool,
) -> Export:
    """The map, on which the best heads glow, and the heads in order; the ranking to save."""
    by = settings[BY]
    grid = getattr(found, by)
    kinds = heads_report.kinds(report)
    order = found.ranking(by)
    lit = [(one.layer, one.head) for one in order[:LIT] if getattr(one, by) > 0]
    top = head_map.ramp_end(grid.abs())

    def tip(h: Head) -> str:
        known = scores.kind_words(kinds.get(h, []), 5)
        lines = [
            f"{name(h)}: attention along the arcs {found.attention[h]:.4f}",
            f"over its mean at that distance {found.margin[h]:+.4f}".replace("-", "−"),
            f"{percent(float(found.first[h]))} of the arcs end at the word with the most attention",
        ]
        return "\n".join(lines + [f"on our sentences: {known}"] * bool(known))

    cells = (head_map.share_cells if by == "attention" else head_map.signed_cells)(grid, top, tip)
    number = f"{100 * top:.0f}"
    left, right = st.columns([58, 42], gap="medium")
    with left:
        head_map.head_map(
            "heads/map",
            "All heads, layers down, heads across; those that draw your arcs best glow",
            grid,
            cells,
            lambda layer, h: settings.set(FOUND.to([layer, h])),
            head_map.legend("0", number, "% of attention")
            if by == "attention"
            else head_map.legend(f"−{number}", number, "points over distance", signed=True),
            {"lit": lit, "chosen": [head]},
        )
    shown = order[:LISTED]
    if head not in [(one.layer, one.head) for one in shown]:
        shown[-1] = next(one for one in order if (one.layer, one.head) == head)
    places = [(one.layer, one.head) for one in shown]
    rows = [
        {
            "name": name(h),
            "note": scores.kind_words(kinds.get(h, []), 2),
            "value": float(grid[h]),
            "number": percent(float(grid[h])),
            "tip": tip(h),
            "chosen": h == head,
        }
        for h in places
    ]
    with right, st.container(gap="xxsmall"):
        count = "your arc" if len(drawn) == 1 else f"your {len(drawn)} arcs"
        head_map.ranking(
            "heads/ranking",
            f"The heads that draw {count} best",
            rows,
            lambda index: settings.set(FOUND.to(list(places[index]))),
            f"Attention along {count}" if by == "attention" else f"Attention along {count}, over distance",
        )
        if said := _remarks(found, drawn, causal):
            st.html(f'<p class="rb-point">{escape(said)}</p>')
        sentence.to_attention(settings, head, settings[TEXT])
    file = f"heads-found-{settings[MODEL]}.csv"
    return Export("Heads in order", file, lambda: _ranking_table(found, by))


def _ranking_table(found: "Found", by: str) -> str:
    rows = [[one.layer, one.head, one.attention, one.margin, one.first] for one in found.ranking(by)]
    return table(["layer", "head", "attention", "over_distance", "most_attended"], rows)


def _remarks(found: "Found", drawn: list[tuple[int, int]], causal: bool) -> str:
    """What the figures cannot say."""
    said = []
    ahead = sum(key > query for query, key in drawn)
    if causal and ahead:
        look = "looks" if ahead == 1 else "look"
        said.append(f"{ahead} of your arcs {look} ahead: this model never does, so every head has 0 there.")
    if not bool(found.margin.abs().gt(1e-7).any()):
        said.append("No other pair of words is as far apart: these arcs cannot be told from distance.")
    return " ".join(said)
