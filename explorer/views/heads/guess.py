"""Which word is to be guessed, and the guesses with all heads on beside those with some off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.text.letters import has_letters
from explorer.views.frame import blocklist
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.settings import Settings
from explorer.views.heads.head_map import Head, name, percent
from explorer.views.heads.settings import BLANK, TEXT
from explorer.views.widgets.bars import short
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.registry import component
from explorer.views.widgets.token_strip import token_strip
from explorer.views.widgets.token_text import visible

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.heads.ablation import Change
    from explorer.analysis.words import Word
    from explorer.models import Model
    from explorer.trace import Encoding

MASK = "[MASK]"
TOP, ROWS = 6, 9


@dataclass(frozen=True, eq=False)
class Asked:
    """What the model reads, which [MASK] of it is meant, and the word that stood there or comes next.

    `token` is that word's id, where it is one token; `blank` its place among the words.
    """

    text: str
    which: int = 0
    blank: int | None = None
    word: str = ""
    token: int | None = None


def ask(model: "Model", text: str, blank: int) -> "tuple[list[Word], Asked | None]":
    """The words of a text and what is asked of it; nothing of a text without words.

    BERT reads [MASK] in a word's place, GPT the text before the word. Without a choice that is the
    [MASK] that was typed or else the last word, and for GPT what comes after the whole text.
    """
    from explorer.analysis.words import words
    from explorer.trace import Ability

    encoding = model.encode(text, limit=LIVE_TOKENS)
    found = [w for w in words(encoding) if w.start < w.end and w.text.strip()]
    typed = [i for i, word in enumerate(found) if word.text == MASK]
    spelled = [i for i, word in enumerate(found) if word.text != MASK and has_letters(word.text)]
    chosen = blank if 0 <= blank < len(found) and blank not in typed else None
    if Ability.GENERATE in model.abilities:
        if not text.strip() or (chosen is not None and not text[: found[chosen].start].strip()):
            return found, None
        if chosen is None:
            return found, Asked(text)
        return found, Asked(
            text[: found[chosen].start].rstrip(), 0, chosen, *_one(model, encoding, found[chosen])
        )
    if chosen is None and typed:
        which = typed.index(blank) if blank in typed else 0
        return found, Asked(text, which, typed[which])
    if chosen is None:
        chosen = spelled[-1] if spelled else None
    if chosen is None:
        return found, None
    word = found[chosen]
    which = sum(i < chosen for i in typed)
    masked = f"{text[: word.start]}{MASK}{text[word.end :]}"
    return found, Asked(masked, which, chosen, *_one(model, encoding, word))


def strip(settings: Settings, model: "Model") -> Asked | None:
    """The words; a click chooses the one that is to be guessed, a second click undoes that."""
    from explorer.trace import Ability

    found, asked = ask(model, settings[TEXT], settings[BLANK])
    chosen = asked.blank if asked else None
    ahead = Ability.GENERATE in model.abilities

    def clicked(index: int) -> None:
        settings.set(BLANK.to(-1 if index == chosen and settings[BLANK] == index else index))

    tokens = []
    for i, word in enumerate(found):
        tokens.append(
            {
                "text": MASK if i == chosen and not ahead else word.text,
                "glued": i > 0 and not word.special and found[i - 1].end == word.start,
                "selected": i == chosen,
                "quiet": ahead and chosen is not None and i > chosen,
                "mark": "dashed" if i == chosen else "",
                "title": _title(word.text, i == chosen, ahead),
            }
        )
    token_strip(tokens, "heads/strip", "The words; click the one that is to be guessed", clicked)
    return asked


def guesses(
    model: "Model", asked: Asked, before: "Tensor", after: "Tensor", off: Sequence[Head]
) -> "list[Change]":
    """The likeliest tokens with all heads on and without some, side by side; returns what is shown."""
    from explorer.analysis.heads import ablation

    shown = ablation.changes(model, before, after, TOP)[:ROWS]
    if asked.token is not None and asked.token not in [one.id for one in shown]:
        shown = [*shown[: ROWS - 1], ablation.change(model, before, after, asked.token)]
    st.html(f'<p class="rb-how" style="margin:0">{headline(asked, shown, before, after, off)}</p>')
    left, _, right = asked.text.partition(MASK)
    blocked = blocklist.over(str(model.checkpoint), asked.text, asked.word)
    component("heads/before_after")(
        key="heads/guesses",
        data={
            "label": "Guesses with all heads on, and without those that are off",
            "before": "all heads on",
            "after": f"without {names(off)}" if off else "no head is off",
            "scale": 1,
            "rows": [
                _row(one, asked, off, blocklist.covers(blocked, left, one.token, right)) for one in shown
            ],
        },
    )
    return shown


def headline(
    asked: Asked, shown: "Sequence[Change]", before: "Tensor", after: "Tensor", off: Sequence[Head]
) -> str:
    """What the heads that are off do to the guess, in a sentence of HTML."""
    from explorer.analysis.heads import ablation

    if not off:
        return "Click a head on the map to switch it off, or the name of a layer to switch off all its heads."
    share = ablation.moved(before, after)
    said = f"{percent(share) if share >= 0.005 else 'under 1 %'} of the probability has moved"
    wanted = next((one for one in shown if one.id == asked.token), None)
    if wanted is None:
        return f"{said}."
    return f"<b>{quoted(asked.word)}</b>: {short(wanted.before)} → {short(wanted.after)}; {said}."


def names(off: Sequence[Head]) -> str:
    """The heads that are off, or how many where they are many: L2H9, L3H0; 12 heads."""
    return ", ".join(map(name, off)) if len(off) <= 2 else f"{len(off)} heads"


def _row(one: "Change", asked: Asked, off: Sequence[Head], covered: bool) -> dict[str, Any]:
    difference = one.after - one.before
    moved = bool(off) and abs(difference) >= 5e-4
    token = blocklist.DOTS if covered else visible(one.token)
    tip = f"probability {one.before:.6f} → {one.after:.6f}, rank {one.rank_before:,} → {one.rank_after:,}"
    return {
        "token": token,
        "before": one.before,
        "after": one.after,
        "before_text": short(one.before),
        "after_text": short(one.after),
        "change": f"{abs(difference):.3f}" if moved else "",
        "direction": ("up" if difference > 0 else "down") if moved else "",
        "state": " ".join(["wanted"] * (one.id == asked.token) + ["covered"] * covered),
        "tip": f"{blocklist.WHY}; {tip}" if covered else tip,
    }


def _one(model: "Model", encoding: "Encoding", word: "Word") -> tuple[str, int | None]:
    """A word, and its id where it is one token."""
    ids = encoding.ids[word.positions].tolist()
    known = len(ids) == 1 and ids[0] != model.tokenizer.unknown
    return word.text, ids[0] if known else None


def _title(word: str, chosen: bool, ahead: bool) -> str:
    if chosen:
        return f"“{word}” is to be guessed"
    return "click to guess what comes here" if ahead else "click to have it guessed"
