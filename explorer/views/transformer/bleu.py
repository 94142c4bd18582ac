"""BLEU: the translation in view against one that a person wrote, with its arithmetic in a popover."""

from html import escape

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _, localised, percent
from explorer.views import kit
from explorer.views.transformer.settings import TRANSLATOR_REFERENCE
from explorer.views.types import Bleu, LanguageModel

LABEL = N_("A translation by a person")
COUNTS = (  # by the length of the n-grams
    N_("{n} of {total} single words and marks"),
    N_("{n} of {total} pairs"),
    N_("{n} of {total} triples"),
    N_("{n} of {total} fours"),
)


def draw(settings: kit.Settings, translation: str) -> list[kit.Export]:
    """The box for a person's translation, and beside it the score of the model's; what to save of it."""
    with st.container(key="bleu", horizontal=True, vertical_alignment="center", gap="small"):
        invitation = _("Type a French translation of your own to compare")
        kit.text_box(settings, TRANSLATOR_REFERENCE, _(LABEL), invitation)
        if not settings[TRANSLATOR_REFERENCE].strip():
            return []
        result = analysis.bleu.bleu(translation, [settings[TRANSLATOR_REFERENCE]])
        if kit.for_class():
            st.html(_in_short(result, settings[TRANSLATOR_REFERENCE]))
        with st.popover(f"BLEU {localised(f'{result.score:.1f}')}"):
            st.html(_arithmetic(result))
    return [kit.Export(N_("BLEU, number by number"), "bleu.csv", lambda: _orders_table(result))]


def compared(model: "LanguageModel", text: str, reference: str) -> tuple[str, float]:
    """A text's translation by beam search, and its BLEU against a person's."""
    from explorer.analysis.bleu import bleu
    from explorer.analysis.translation import translate

    translation = translate(model, text, 4).text
    return translation, round(bleu(translation, [reference]).score, 2)


def _in_short(bleu: "Bleu", reference: str) -> str:
    """The person's translation, how many n-grams count, and the score, as HTML."""
    counts = [(order.matches, len(order.counted)) for order in bleu.orders]
    counted = _(", ").join(_(text, n=n, total=total) for text, (n, total) in zip(COUNTS, counts, strict=True))
    line = _(
        "A person wrote “{reference}” BLEU gives <b>{score}</b> of 100, for {counted}.",
        reference=kit.quoted(reference),
        score=f"{bleu.score:.0f}",
        counted=counted,
    )
    return f'<p class="rb-verdict">{line}</p>'


def _arithmetic(bleu: "Bleu") -> str:
    """The four precisions, which n-grams count, and their product."""
    rows = []
    for order in bleu.orders:
        ngrams = zip(analysis.bleu.ngrams(bleu.candidate, order.n), order.counted, strict=True)
        counted = ", ".join(" ".join(ngram) for ngram, counts in ngrams if counts)
        precision = percent(localised(f"{order.precision:.1f}"))
        if order.counted and order.precision and not order.matches:
            precision = _("{precision} (smoothed)", precision=precision)
        share = _("{n} of {total}", n=order.matches, total=len(order.counted))
        rows.append([_("{n}-grams", n=order.n), share, precision, counted or _("none")])
    factors = " × ".join(localised(f"{order.precision:.1f}") for order in bleu.orders)
    few = (
        _("A text of fewer than four has no 4-gram, and so its BLEU is 0.") if len(bleu.candidate) < 4 else ""
    )
    own, closest = len(bleu.candidate), bleu.closest
    lines = [
        _("BP, the brevity penalty: {own} words and marks against {closest}.", own=own, closest=closest),
        few,
        _(
            "An n-gram counts at most as often as the person has it. BLEU was designed for whole test sets; "
            "a good translation in other words scores low."
        ),
        escape(bleu.signature),
    ]
    score = localised(f"{bleu.score:.2f}")
    penalty = "1" if bleu.penalty == 1 else localised(f"{bleu.penalty:.3f}")
    heads = ["", _("in the person’s"), _("precision"), _("those that count")]
    return kit.html_table("rb-ranks", heads, rows) + (
        f'<p class="rb-how">BP {penalty} × ({factors})<sup>1/4</sup> = <b>{score}</b></p>'
        f'<p class="rb-quiet">{" ".join(filter(None, lines))}</p>'
    )


def _orders_table(bleu: "Bleu") -> str:
    rows: list[list[object]] = [[f"{o.n}-grams", o.matches, len(o.counted), o.precision] for o in bleu.orders]
    rows.append(["brevity penalty", len(bleu.candidate), bleu.closest, bleu.penalty])
    rows.append([f"BLEU, {bleu.signature}", "", "", bleu.score])
    return kit.table(["what", "matches", "of", "value"], rows)
