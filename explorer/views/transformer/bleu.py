"""BLEU: a translation compared with its references, n-gram by n-gram, and the score."""

from html import escape
from typing import Any

import streamlit as st

from explorer import analysis
from explorer.files.lines import lines_of
from explorer.views.frame.example import Example
from explorer.views.frame.page import palette
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import view_text
from explorer.views.look import theme
from explorer.views.settings.settings import Settings
from explorer.views.transformer.settings import BLEU_CANDIDATE, BLEU_N, BLEU_REFERENCES
from explorer.views.types import Bleu
from explorer.views.widgets.controls import segments
from explorer.views.widgets.notes import heading
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.token_strip import token_strip

ORDERS = (1, 2, 3, 4)
STRENGTH = 0.45  # of the colour of what counts
WHY = {
    "match": "in a reference: it counts",
    "clipped": "in a reference, but the candidate has it more often: clipped",
    "missing": "in no reference",
}
BAR = "clamp(60px, 22vw, 260px)"  # the width of a full bar


def controls(page: OpenPage[None]) -> None:
    """The candidate and the references, and which n-grams are marked."""
    settings = page.settings
    left, right = st.columns(2, gap="medium")
    with left, st.container(gap="xxsmall"):
        heading("Candidate", level=2)
        text_box(settings, BLEU_CANDIDATE, "The candidate", "Type a translation to score", lines=2)
    with right, st.container(gap="xxsmall"):
        heading("References, one per line", level=2)
        text_box(settings, BLEU_REFERENCES, "The references, one per line", "Type a reference", lines=2)
    segments(settings, BLEU_N, "n-grams to mark", {n: f"{n}-grams" for n in ORDERS}, width="content")


def draw(page: OpenPage[None]) -> Saves:
    """The n-grams of the candidate, the references with their matches, the four precisions, the product."""
    settings = page.settings
    result, n = analysis.bleu.bleu(**_arguments(settings)), settings[BLEU_N]
    order = result.orders[n - 1]
    heading(f"The candidate’s {n}-grams: {_share(order)} {'counts' if order.matches == 1 else 'count'}")
    if order.outcomes:
        token_strip(_chips(result, order), "bleu/grams", f"The candidate’s {n}-grams")
    else:
        st.html(f'<p class="rb-how" style="margin:0">The candidate has no {n}-gram.</p>')
    heading("The references, with what they share with it")
    for number, reference in enumerate(result.references):
        token_strip(
            _reference_tokens(result, reference, n), f"bleu/reference/{number}", f"Reference {number + 1}"
        )
    st.html(_table(result))
    st.html(_product(result))
    return [
        Picture("picture", "bleu"),
        Export("n-grams", "bleu-ngrams.csv", lambda: _ngrams_table(result)),
        Export("The calculation", "bleu.csv", lambda: _orders_table(result)),
    ]


def score(candidate: str, references: list[str]) -> dict[str, object]:
    """The score of a candidate, the precisions in percent, and the brevity penalty."""
    from explorer.analysis.bleu import bleu

    result = bleu(candidate, references)
    return {
        "score": result.score,
        "precisions": [order.precision for order in result.orders],
        "brevity penalty": result.penalty,
        "signature": result.signature,
    }


def _arguments(settings: Settings) -> dict[str, Any]:
    return {
        "candidate": settings[BLEU_CANDIDATE],
        "references": lines_of(settings[BLEU_REFERENCES]),
    }


def _chips(bleu: "Bleu", order: "analysis.bleu.Order") -> list[dict[str, Any]]:
    colours = palette()
    chips = []
    for ngram, outcome in zip(analysis.bleu.ngrams(bleu.candidate, order.n), order.outcomes, strict=True):
        ground = theme.mix(colours.probability, STRENGTH) if outcome == "match" else colours.panel
        chips.append(
            {
                "text": " ".join(ngram),
                "title": WHY[outcome],
                "mark": "dashed" if outcome == "clipped" else "",
                "colour": ground,
                "ink": theme.text_on(ground),
            }
        )
    return chips


def _reference_tokens(bleu: "Bleu", reference: tuple[str, ...], n: int) -> list[dict[str, Any]]:
    ground = theme.mix(palette().probability, STRENGTH)
    shared = {"colour": ground, "ink": theme.text_on(ground), "title": f"part of a shared {n}-gram"}
    matches = analysis.bleu.match_mask(reference, bleu.candidate, n)
    return [
        {"text": token} | (shared if here else {}) for token, here in zip(reference, matches, strict=True)
    ]


def _table(bleu: "Bleu") -> str:
    """The four precisions as bars: how many n-grams count, and what smoothing did."""
    room = "padding:3px clamp(6px, 2vw, 18px) 3px 0"
    cell = f'style="{room};white-space:nowrap"'
    rows = []
    for order in bleu.orders:
        smoothed = "smoothed" if order.precision and not order.matches else ""
        note = smoothed if order.outcomes else "no such n-gram"
        rows.append(
            f'<tr style="border:0"><td {cell}>{order.n}-grams</td><td {cell}>{_share(order)}</td>'
            f'<td style="{room}"><div style="width:{BAR};height:14px;border-radius:3px;'
            f'background:var(--rb-hairline)"><div style="width:{order.precision:.1f}%;height:14px;'
            f'border-radius:3px;background:var(--rb-probability-1)"></div></div></td>'
            f'<td {cell}><b>{order.precision:.1f}%</b></td><td {cell}><span class="rb-quiet">{note}</span>'
            "</td></tr>"
        )
    style = "border-collapse:collapse;font-size:18px;margin-top:8px"
    return f'<div class="rb-wide"><table style="{style}">{"".join(rows)}</table></div>'


def _product(bleu: "Bleu") -> str:
    factors = " × ".join(f"{order.precision:.1f}" for order in bleu.orders)
    penalty = "1" if bleu.penalty == 1 else f"{bleu.penalty:.3f}"
    why = f"length {len(bleu.candidate)} against {bleu.closest}"
    return (
        f'<p class="rb-how" style="font-size:22px;max-width:none">BP {penalty} × ({factors})<sup>1/4</sup> = '
        f'<b>{bleu.score:.2f}</b> <span class="rb-quiet" title="{escape(bleu.signature)}">BP: {why} · '
        "as sacrebleu computes it</span></p>"
    )


def _share(order: "analysis.bleu.Order") -> str:
    return f"{order.matches} of {len(order.outcomes)}"


def _ngrams_table(bleu: "Bleu") -> str:
    rows = [
        [order.n, " ".join(ngram), str(outcome)]
        for order in bleu.orders
        for ngram, outcome in zip(analysis.bleu.ngrams(bleu.candidate, order.n), order.outcomes, strict=True)
    ]
    return table(["n", "ngram", "fate"], rows)


def _orders_table(bleu: "Bleu") -> str:
    rows: list[list[Any]] = [[f"{o.n}-grams", o.matches, len(o.outcomes), o.precision] for o in bleu.orders]
    rows.append(["brevity penalty", len(bleu.candidate), bleu.closest, bleu.penalty])
    rows.append([f"BLEU, {bleu.signature}", "", "", bleu.score])
    return table(["what", "matches", "of", "value"], rows)


VIEW = View(
    text=view_text("transformer", "bleu"),
    settings=(BLEU_CANDIDATE, BLEU_REFERENCES, BLEU_N),
    controls=controls,
    draw=draw,
    example=lambda page: Example(score, **_arguments(page.settings)),
)
