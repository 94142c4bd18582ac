"""The heads that attend along the visitor's arcs: lit up on the map, and listed in order beside it."""

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame.saving.saving import Export, table
from explorer.views.heads import head_map, sentence
from explorer.views.heads import report as heads_report
from explorer.views.heads.head_map import Head, name, percent
from explorer.views.heads.settings import BY, FOUND_HEAD, MODEL, TEXT
from explorer.views.settings.settings import Settings
from explorer.views.widgets import head_kinds
from explorer.views.widgets.layer_names import head_name

if TYPE_CHECKING:
    from explorer.analysis.heads import Found, Report

LISTED, LIT = 6, 3


def invitation(settings: Settings, size: "tuple[int, int]", head: Head | None) -> None:
    """The map before an arc is drawn: without values, but any head can be chosen."""
    import torch

    grid = torch.zeros(*size)
    left, right = st.columns([58, 42], gap="medium")
    with left:
        head_map.head_map(
            "All heads, layers down, heads across; choose one to see it on the sentence",
            grid,
            [cell | {"text": ""} for cell in head_map.share_cells(grid, 1.0, name)],
            lambda layer, h: settings.set(FOUND_HEAD.to([layer, h])),
            head_map.legend("0", "100", "% of attention"),
            {"chosen": [head] if head else []},
        )
    right.html(
        '<p class="rb-how">Which head looks from here to there?</p>'
        '<p class="rb-point">Click a word, then the word that it should look at: a noun and its verb, a word '
        "and the same word earlier. With several arcs, a head has to do all of them.</p>"
    )


def results(
    settings: Settings,
    report: "Report | None",
    matches: "Found",
    arcs: list[tuple[int, int]],
    head: Head,
    causal: bool,
) -> Export:
    """Draw the map with the best heads lit, and the heads in order. Returns the ranking to save."""
    by = settings[BY]
    grid = getattr(matches, by)
    kinds = heads_report.kinds(report)
    order = [(match.layer, match.head) for match in matches.ranking(by)]
    best = [h for h in order[:LIT] if grid[h] > 0]
    top = head_map.ramp_end(grid.abs())

    def pick(layer: int, h: int | None) -> None:
        settings.set(FOUND_HEAD.to([layer, h]))

    def tip(h: Head) -> str:
        kind_names = head_kinds.kind_names(kinds.get(h, []), 5)
        lines = [
            f"{name(h)}: attention along the arcs {matches.attention[h]:.4f}",
            f"over its mean at that distance {matches.margin[h]:+.4f}".replace("-", "−"),
            f"{percent(float(matches.first[h]))} of the arcs end at the word with the most attention",
        ]
        return "\n".join(lines + [f"on our sentences: {kind_names}"] * bool(kind_names))

    cells = (head_map.share_cells if by == "attention" else head_map.signed_cells)(grid, top, tip)
    number = f"{100 * top:.0f}"
    left, right = st.columns([58, 42], gap="medium")
    with left:
        head_map.head_map(
            "All heads, layers down, heads across; those that draw your arcs best glow",
            grid,
            cells,
            pick,
            head_map.legend("0", number, "% of attention")
            if by == "attention"
            else head_map.legend(f"−{number}", number, "points over distance", signed=True),
            {"lit": best, "chosen": [head]},
        )
    listed = order[:LISTED]
    if head not in listed:
        listed[-1] = head
    with right, st.container(gap="xxsmall"):
        count = "your arc" if len(arcs) == 1 else f"your {len(arcs)} arcs"
        head_map.ranking(
            f"The heads that draw {count} best",
            f"Attention along {count}" if by == "attention" else f"Attention along {count}, over distance",
            grid,
            listed,
            head,
            lambda h: head_kinds.kind_names(kinds.get(h, []), 2),
            tip,
            pick,
        )
        if remarks := _remarks(matches, arcs, causal):
            st.html(f'<p class="rb-point">{escape(remarks)}</p>')
        sentence.to_attention(settings, head, settings[TEXT])
    file = f"heads-found-{settings[MODEL]}.csv"
    return Export("Heads in order", file, lambda: _ranking_table(matches, by))


def _ranking_table(matches: "Found", by: str) -> str:
    rows = [
        [head_name(match.layer, match.head), match.attention, match.margin, match.first]
        for match in matches.ranking(by)
    ]
    return table(["head", "attention", "over_distance", "most_attended"], rows)


def _remarks(matches: "Found", arcs: list[tuple[int, int]], causal: bool) -> str:
    """What the figures cannot tell, in words."""
    remarks = []
    ahead = sum(key > query for query, key in arcs)
    if causal and ahead:
        look = "looks" if ahead == 1 else "look"
        remarks.append(
            f"{ahead} of your arcs {look} ahead: this model never does, so every head has 0 there."
        )
    if not bool(matches.margin.abs().gt(1e-7).any()):
        remarks.append("No other pair of words is as far apart: these arcs cannot be told from distance.")
    return " ".join(remarks)
