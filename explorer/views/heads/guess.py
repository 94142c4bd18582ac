"""The word to be guessed, and the guesses with all heads on beside those with some off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from explorer import analysis
from explorer.catalogue.ability import Ability
from explorer.locale import _, format_number, localised
from explorer.text.letters import has_letters
from explorer.views import kit
from explorer.views.heads.head_map import Head, name
from explorer.views.heads.settings import BLANK, TEXT
from explorer.views.types import Change, Encoding, Model, Tensor, Word

TOP, ROWS = 6, 9


@dataclass(frozen=True, eq=False)
class Blank:
    """The text that the model reads, and the word that is to be guessed from it.

    `which` numbers the [MASK] tokens of the text. `index` is the word's place among the words, and `token`
    its id if it is a single token. All three are unset for the word after the end of the text.
    """

    text: str
    which: int = 0
    index: int | None = None
    word: str = ""
    token: int | None = None


def find_blank(model: "Model", text: str, blank: int) -> "tuple[list[Word], Blank | None]":
    """The words of a text and the one to be guessed; None if the text has no such word.

    BERT reads [MASK] in the word's place, GPT the text before it. If `blank` is not the index of a word,
    BERT guesses a [MASK] in the text or else the last word, and GPT what follows the whole text.
    """
    encoding = model.encode(text, limit=kit.LIVE_TOKENS)
    words_in_text = [w for w in analysis.words.words(encoding) if w.start < w.end and w.text.strip()]
    masks = [i for i, word in enumerate(words_in_text) if word.text == kit.MASK]
    with_letters = [
        i for i, word in enumerate(words_in_text) if word.text != kit.MASK and has_letters(word.text)
    ]
    chosen = blank if 0 <= blank < len(words_in_text) and blank not in masks else None
    if Ability.GENERATE in model.abilities:
        if not text.strip() or (chosen is not None and not text[: words_in_text[chosen].start].strip()):
            return words_in_text, None
        if chosen is None:
            return words_in_text, Blank(text)
        word = words_in_text[chosen]
        before = text[: word.start].rstrip()
        return words_in_text, Blank(before, 0, chosen, *_single_token(model, encoding, word))
    if chosen is None and masks:
        which = masks.index(blank) if blank in masks else 0
        return words_in_text, Blank(text, which, masks[which])
    if chosen is None:
        chosen = with_letters[-1] if with_letters else None
    if chosen is None:
        return words_in_text, None
    word = words_in_text[chosen]
    which = sum(i < chosen for i in masks)
    masked = f"{text[: word.start]}{kit.MASK}{text[word.end :]}"
    return words_in_text, Blank(masked, which, chosen, *_single_token(model, encoding, word))


def strip(settings: kit.Settings, model: "Model") -> Blank | None:
    """Draw the words and return the blank. A click chooses the word to guess; a second click undoes that."""
    words, blank = find_blank(model, settings[TEXT], settings[BLANK])
    chosen = blank.index if blank else None
    ahead = Ability.GENERATE in model.abilities
    gap = kit.GAP if kit.for_class() else kit.MASK

    def clicked(index: int) -> None:
        settings.set(BLANK.to(-1 if index == chosen and settings[BLANK] == index else index))

    tokens = [
        {
            "text": gap if word.text == kit.MASK or (i == chosen and not ahead) else word.text,
            "glued": i > 0 and not word.special and words[i - 1].end == word.start,
            "selected": i == chosen,
            "quiet": ahead and chosen is not None and i > chosen,
            "mark": "dashed" if i == chosen else "",
            "title": _title(word.text, i == chosen, ahead),
        }
        for i, word in enumerate(words)
    ]
    kit.token_strip(tokens, "heads/strip", _("The words; press the one that is to be guessed"), clicked)
    return blank


def guesses(
    model: "Model", blank: Blank, before: "Tensor", after: "Tensor", off: Sequence[Head]
) -> "list[Change]":
    """Draw the most probable tokens with all heads on and with some off, side by side, and return them."""
    from explorer.analysis.heads import ablation

    changes = ablation.changes(model, before, after, TOP)[:ROWS]
    if blank.token is not None and blank.token not in [change.id for change in changes]:
        changes = [*changes[: ROWS - 1], ablation.change(model, before, after, blank.token)]
    st.html(f'<p class="rb-how">{headline(blank, changes, before, after, off)}</p>')
    left, right = blank.text.partition(kit.MASK)[::2]
    if not off:
        heads_off = _("no head is off")
    elif kit.for_class():
        heads_off = _("{heads} off", heads=names(off))
    else:
        heads_off = _("without {heads}", heads=names(off))
    blocked = kit.blocklist.over(str(model.checkpoint), blank.text, blank.word)
    kit.component("widgets/before_after")(
        key="heads/guesses",
        data=picture_data(
            [
                row(change, blank.token, bool(off), kit.blocklist.covers(blocked, left, change.token, right))
                for change in changes
            ],
            heads_off,
        ),
    )
    return changes


def picture_data(rows: list[dict[str, Any]], after: str) -> dict[str, Any]:
    """The data of the component; `after` says which heads are off."""
    return {
        "label": _("Guesses with all heads on, and without those that are off"),
        "before": _("all heads on"),
        "after": after,
        "scale": 1,
        "rows": rows,
    }


def headline(
    blank: Blank, changes: "Sequence[Change]", before: "Tensor", after: "Tensor", off: Sequence[Head]
) -> str:
    """How switching heads off has changed the guess, as a sentence of HTML."""
    from explorer.analysis.heads import ablation

    if not off:
        return _(
            "Press a head on the map to switch it off, or the name of a layer to switch off all of its heads."
        )
    original = next((change for change in changes if change.id == blank.token), None)
    here = "" if original is None else f"{kit.short(original.before)} → {kit.short(original.after)}"
    if here and kit.for_class():
        return _("{label}: {text}", label=f"<b>{kit.quoted(blank.word)}</b>", text=here)
    moved = ablation.moved(before, after)
    share = kit.whole_percent(moved) if moved >= 0.005 else _("under 1%")
    if not here:
        return _("{share} of the probability has moved.", share=share)
    word = f"<b>{kit.quoted(blank.word)}</b>"
    return _("{word}: {here}; {share} of the probability has moved.", word=word, here=here, share=share)


def names(off: Sequence[Head]) -> str:
    """The names of up to two heads, “L3H10, L4H1”, or how many there are: “12 heads”, as for a class."""
    if kit.for_class():
        return _("one head") if len(off) == 1 else _("{count} heads", count=len(off))
    return ", ".join(map(name, off)) if len(off) <= 2 else _("{count} heads", count=len(off))


def row(change: "Change", target: int | None, off: bool, covered: bool) -> dict[str, Any]:
    """A token with both probabilities; `target` is the token that the text has there."""
    difference = change.after - change.before
    moved = off and abs(difference) >= 5e-4
    token = kit.blocklist.DOTS if covered else kit.visible(change.token)
    tip = _(
        "probability {before} → {after}, rank {rank_before} → {rank_after}",
        before=localised(f"{change.before:.6f}"),
        after=localised(f"{change.after:.6f}"),
        rank_before=format_number(change.rank_before),
        rank_after=format_number(change.rank_after),
    )
    return {
        "token": token,
        "before": change.before,
        "after": change.after,
        "before_text": kit.short(change.before),
        "after_text": kit.short(change.after),
        "change": kit.short(abs(difference)) if moved else "",
        "direction": ("up" if difference > 0 else "down") if moved else "",
        "state": " ".join(["wanted"] * (change.id == target) + ["covered"] * covered),
        "tip": f"{_(kit.blocklist.WHY)}; {tip}" if covered else tip,
    }


def _single_token(model: "Model", encoding: "Encoding", word: "Word") -> tuple[str, int | None]:
    """A word, and its id if it is a single token that the tokenizer knows."""
    ids = encoding.ids[word.positions].tolist()
    is_single = len(ids) == 1 and ids[0] != model.tokenizer.unknown
    return word.text, ids[0] if is_single else None


def _title(word: str, chosen: bool, ahead: bool) -> str:
    if chosen:
        return _("“{word}” is to be guessed", word=word)
    return _("press to guess what comes here") if ahead else _("press to have it guessed")
