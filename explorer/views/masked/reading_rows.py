"""What each word to the right of a blank changed, for a model that reads from left to right."""

from html import escape
from typing import Any

import streamlit as st

from explorer.views import kit
from explorer.views.masked import blanks
from explorer.views.masked.candidates import BlankCandidates
from explorer.views.types import Model, ReadOn

WORDS = 5  # in each row
LEFT = "left side"


def reading_rows(blank: "BlankCandidates", blocked: kit.blocklist.Blocklist) -> kit.Export:
    """Draw a row for each word read, with the likeliest words so far. Returns the table to save."""
    before, after = blanks.around(blank.read, blank.number)
    reading = blank.predictions.readings[blank.number]
    best = blank.candidates[0].token
    rows = [
        (
            name,
            [_word(word, p, best, kit.blocklist.covers(blocked, before, word, after)) for word, p in words],
        )
        for name, words in likeliest_by_row(reading)
    ]
    lines = "".join(
        f'<div class="rb-read" role="row"><b role="rowheader" dir="auto">{escape(name)}</b>'
        f"{''.join(map(_cell, words))}</div>"
        for name, words in rows
    )
    title = "What each word to the right changed"
    st.html(
        f'<p class="rb-blank">{title}</p>'
        f'<div class="rb-reads" role="table" translate="no" aria-label="{title}">{lines}</div>'
    )
    figures = [[name, word["text"], word["probability"]] for name, words in rows for word in words]
    return kit.Export(
        "What each word changed",
        "masked-reading.csv",
        lambda: kit.table(["read", "word", "probability"], figures),
    )


def likeliest_by_row(reading: "ReadOn") -> list[tuple[str, list[tuple[str, float]]]]:
    """The likeliest words after the left side, and after each word to the right, with that word."""
    rows = []
    for count, name in enumerate([LEFT, *reading.right_words]):
        best = reading.probabilities(count).topk(min(WORDS, len(reading.words)))
        pairs = zip(best.indices.tolist(), best.values.tolist(), strict=True)
        rows.append((name, [(reading.words[i], p) for i, p in pairs if p > 0]))
    return rows


def how_it_reads(model: "Model", blank: "BlankCandidates") -> str:
    """A note on what was done for these bars; empty for a model that sees both sides at once."""
    if not blank.predictions.readings:
        return ""
    reading = blank.predictions.readings[blank.number]
    name, tries = kit.memory.short_label(str(model.checkpoint)), len(reading.words)
    note = f"{name} reads from left to right. It tries the {tries} likeliest words of one token"
    if not reading.right_words:
        note += ". Nothing follows the blank, so this is its next word."
    else:
        note += f", and reads on with the best {len(reading.log_rest)} after the first word to the right. "
        note += f"Those that it dropped there had {kit.in_words(reading.dropped)} of the probability."
    note += f" Whatever it did not try had {kit.in_words(reading.untried)} after the left side."
    several = len(blank.predictions.readings) > 1
    return note + (" Blanks are filled from left to right, each read on up to the next." if several else "")


def _word(word: str, probability: float, best: str, hidden: bool) -> dict[str, Any]:
    text = kit.blocklist.DOTS if hidden else word
    return {"text": text, "probability": probability, "best": word == best}


def _cell(word: dict[str, Any]) -> str:
    tip = escape(f"{word['text']}: probability {word['probability']:.6g}", quote=True)
    return (
        f'<span role="cell" class="{"best" if word["best"] else ""}" title="{tip}">'
        f'<i style="width:{100 * word["probability"]:.2f}%"></i>{escape(word["text"])}'
        f" <small>{kit.short(word['probability'])}</small></span>"
    )
