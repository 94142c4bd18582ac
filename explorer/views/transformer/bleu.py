"""BLEU: a translation compared with its references, n-gram by n-gram, and the score."""

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.files.lines import lines_of
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import palette
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.look import theme
from explorer.views.settings.settings import Settings
from explorer.views.transformer.bleu_presets import PRESETS
from explorer.views.transformer.settings import (
    BLEU_CANDIDATE,
    BLEU_CLIP,
    BLEU_EFFECTIVE,
    BLEU_N,
    BLEU_REFERENCES,
    BLEU_SMOOTHING,
)
from explorer.views.widgets.controls import segments
from explorer.views.widgets.notes import heading
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.token_strip import token_strip

if TYPE_CHECKING:
    from explorer.analysis.bleu import Bleu, Order


ORDERS = (1, 2, 3, 4)
SMOOTHINGS = {
    "exp": "Smoothing: exp (halves)",
    "floor": "Smoothing: floor (0.1)",
    "add-k": "Smoothing: add 1",
    "none": "No smoothing",
}
STRENGTH = 0.45  # of the colour of what counts
WHY = {
    "match": "in a reference: it counts",
    "clipped": "in a reference, but the candidate has it more often: clipped",
    "missing": "in no reference",
}
BAR = "clamp(60px, 22vw, 260px)"  # the width of a full bar


def controls(page: OpenPage[None]) -> None:
    """The candidate and the references; which n-grams are marked; clipping, smoothing, effective order."""
    settings = page.settings
    left, right = st.columns(2, gap="medium")
    with left, st.container(gap="xxsmall"):
        heading("Candidate", level=2)
        text_box(settings, BLEU_CANDIDATE, "The candidate", "Type a translation to score", lines=2)
    with right, st.container(gap="xxsmall"):
        heading("References, one per line", level=2)
        text_box(settings, BLEU_REFERENCES, "The references, one per line", "Type a reference", lines=2)
    settings.restrict(BLEU_SMOOTHING, SMOOTHINGS)
    with st.container(horizontal=True, vertical_alignment="center"):
        segments(settings, BLEU_N, "n-grams to mark", {n: f"{n}-grams" for n in ORDERS}, width="content")
        st.toggle(
            "Clip",
            key=settings.key(BLEU_CLIP, "Clip"),
            help="An n-gram counts at most as often as it occurs in any one reference",
            width="content",
        )
        st.selectbox(
            "Smoothing",
            list(SMOOTHINGS),
            key=settings.key(BLEU_SMOOTHING, "Smoothing"),
            format_func=SMOOTHINGS.__getitem__,
            help="What replaces a precision of 0, which would make the product 0",
            label_visibility="collapsed",
            width=250,
        )
        st.toggle(
            "Effective order",
            key=settings.key(BLEU_EFFECTIVE, "Effective order"),
            help="Ignore n-gram lengths longer than the candidate",
            width="content",
        )


def draw(page: OpenPage[None]) -> Saves:
    """The n-grams of the candidate, the references with their matches, the four precisions, the product."""
    from explorer.analysis.bleu import bleu

    settings = page.settings
    result, n = bleu(**_arguments(settings)), settings[BLEU_N]
    order = result.orders[n - 1]
    heading(f"The candidate’s {n}-grams: {_share(order)} {'counts' if order.matches == 1 else 'count'}")
    if order.total:
        token_strip(_chips(result, order), "bleu/grams", f"The candidate’s {n}-grams")
    else:
        st.html(f'<p class="rb-how" style="margin:0">The candidate has no {n}-gram.</p>')
    heading("The references, with what they share with it")
    for number, reference in enumerate(result.references):
        token_strip(
            _reference_tokens(result, reference, n), f"bleu/reference/{number}", f"Reference {number + 1}"
        )
    st.html(_table(result))
    st.html(_product(result, page.settings[BLEU_CLIP]))
    return [
        Picture("picture", "bleu"),
        Export("n-grams", "bleu-ngrams.csv", lambda: _ngrams_table(result)),
        Export("The calculation", "bleu.csv", lambda: _orders_table(result)),
    ]


READING = Reading(
    "Each chip is an n-gram of the candidate. The filled ones count, and a dashed line marks those that "
    "clipping removes. BLEU is the geometric mean of the four precisions, times a penalty for a "
    "candidate that is shorter than the reference closest in length.",
    "BLEU was designed for whole test sets. Only identical words count, so a good translation in other "
    "words scores low.",
)


def example(page: OpenPage[None]) -> Example:
    """The same score from Python."""
    return Example(score, **_arguments(page.settings))


def score(
    candidate: str, references: list[str], clip: bool, smoothing: str, effective_order: bool
) -> dict[str, object]:
    """The score of a candidate, the precisions in percent, and the brevity penalty."""
    from explorer.analysis.bleu import bleu

    result = bleu(candidate, references, clip, smoothing, effective_order)
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
        "clip": settings[BLEU_CLIP],
        "smoothing": settings[BLEU_SMOOTHING],
        "effective_order": settings[BLEU_EFFECTIVE],
    }


def _chips(bleu: "Bleu", order: "Order") -> list[dict[str, Any]]:
    from explorer.analysis.bleu import ngrams

    colours = palette()
    chips = []
    for ngram, outcome in zip(ngrams(bleu.candidate, order.n), order.outcomes, strict=True):
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
    from explorer.analysis.bleu import match_mask

    ground = theme.mix(palette().probability, STRENGTH)
    shared = {"colour": ground, "ink": theme.text_on(ground), "title": f"part of a shared {n}-gram"}
    matches = match_mask(reference, bleu.candidate, n)
    return [
        {"text": token} | (shared if here else {}) for token, here in zip(reference, matches, strict=True)
    ]


def _table(bleu: "Bleu") -> str:
    """The four precisions as bars: how many n-grams count, and what smoothing did."""
    room = "padding:3px clamp(6px, 2vw, 18px) 3px 0"
    cell = f'style="{room};white-space:nowrap"'
    rows = []
    for order in bleu.orders:
        left_out = order.n > bleu.orders_used
        note = "left out" if left_out else "no such n-gram" if not order.total else ""
        note = "smoothed" if order.smoothed and not left_out else note
        quiet = ";color:var(--rb-quiet)" if left_out else ""
        rows.append(
            f'<tr style="border:0{quiet}"><td {cell}>{order.n}-grams</td><td {cell}>{_share(order)}</td>'
            f'<td style="{room}"><div style="width:{BAR};height:14px;border-radius:3px;'
            f'background:var(--rb-hairline)"><div style="width:{order.precision:.1f}%;height:14px;'
            f'border-radius:3px;background:var(--rb-probability-1)"></div></div></td>'
            f'<td {cell}><b>{order.precision:.1f}%</b></td><td {cell}><span class="rb-quiet">{note}</span>'
            "</td></tr>"
        )
    style = "border-collapse:collapse;font-size:18px;margin-top:8px"
    return f'<div class="rb-wide"><table style="{style}">{"".join(rows)}</table></div>'


def _product(bleu: "Bleu", clip: bool) -> str:
    orders = bleu.orders[: bleu.orders_used]
    factors = " × ".join(f"{order.precision:.1f}" for order in orders)
    root = f"<sup>1/{bleu.orders_used}</sup>" if bleu.orders_used > 1 else ""
    penalty = "1" if bleu.penalty == 1 else f"{bleu.penalty:.3f}"
    why = f"length {len(bleu.candidate)} against {bleu.closest}"
    after = "as sacrebleu computes it" if clip else "without clipping this is not BLEU"
    signature = f' title="{escape(bleu.signature)}"' if clip else ""
    return (
        f'<p class="rb-how" style="font-size:22px;max-width:none">BP {penalty} × ({factors}){root} = '
        f'<b>{bleu.score:.2f}</b> <span class="rb-quiet"{signature}>BP: {why} · {after}</span></p>'
    )


def _share(order: "Order") -> str:
    return f"{order.matches} of {order.total}"


def _ngrams_table(bleu: "Bleu") -> str:
    from explorer.analysis.bleu import ngrams

    rows = [
        [order.n, " ".join(ngram), str(outcome)]
        for order in bleu.orders
        for ngram, outcome in zip(ngrams(bleu.candidate, order.n), order.outcomes, strict=True)
    ]
    return table(["n", "ngram", "fate"], rows)


def _orders_table(bleu: "Bleu") -> str:
    rows: list[list[Any]] = [[f"{o.n}-grams", o.matches, o.total, o.precision] for o in bleu.orders]
    rows.append(["brevity penalty", len(bleu.candidate), bleu.closest, bleu.penalty])
    rows.append([f"BLEU, {bleu.signature}", "", "", bleu.score])
    return table(["what", "matches", "of", "value"], rows)


VIEW = View(
    label="BLEU",
    audience="For those who ask how translations are scored.",
    first=Hints(
        "The filled chips are the n-grams that the candidate shares with its reference. The score follows "
        "from how many they are.",
        "Type one word six times as the candidate, then switch “Clip” off.",
    ),
    settings=(BLEU_CANDIDATE, BLEU_REFERENCES, BLEU_N, BLEU_CLIP, BLEU_SMOOTHING, BLEU_EFFECTIVE),
    presets=PRESETS,
    controls=controls,
    draw=draw,
    reading=READING,
    example=example,
)
