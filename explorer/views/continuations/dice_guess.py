"""Shannon's game: a class guesses the next word of a text, beside the table and the models."""

import re
from collections.abc import Iterable
from html import escape
from math import log2
from typing import NamedTuple

import streamlit as st

from explorer.analysis.generation import ngrams
from explorer.locale import N_, _, localised
from explorer.room.questions import Question
from explorer.room.tally import bits as bits_of_class
from explorer.room.tally import key
from explorer.text.letters import has_letters
from explorer.views import kit
from explorer.views.continuations.dice_writers import models
from explorer.views.continuations.settings import NEW_TEXT, ROUNDS
from explorer.views.frame import problem
from explorer.views.frame.polls import class_room, panel
from explorer.views.settings.settings import Settings
from explorer.views.types import LanguageModel, Spot
from explorer.views.widgets.visually_hidden import live_region

FIRST, ENOUGH = 4, 5  # the number of the first word that is guessed; answers from which bits are counted
NAMED = 3  # guesses with as many votes that are told
GUESS = N_("Which word comes next?")
NO_GUESS, CLASS, YOU, COUNTING = N_("no guess"), N_("The class"), N_("You"), N_("Counting")
TIE, LARGE_TIE = N_("a tie: {words}"), N_("a tie of {count} words")
A_TIE = re.compile(r"a tie(?:: (.+)| of (\d+) words)")
Score = tuple[str, str, float | None, int, float | None]
BOX = kit.Session("continuations/guess", "")


class Round(NamedTuple):
    """What a class sent for a word: its most frequent guess, or a tie; the right ones, and all of them."""

    guess: str
    right: int
    total: int


def spots(settings: Settings) -> "list[Spot]":
    """The words of the new text that are guessed, in order."""
    from explorer.analysis.prediction import shannon

    every = shannon.spots(settings[NEW_TEXT])
    return every[min(FIRST, max(len(every) - 1, 0)) :]


def rounds(settings: Settings) -> list[Round]:
    """The words that have been shown. A link may bring anything: what does not fit is left out."""
    rows = [Round(*row) for row in settings[ROUNDS] if isinstance(row, list) and len(row) == 3]
    fitting = [
        row for row in rows if isinstance(row.guess, str) and type(row.right) is type(row.total) is int
    ]
    return [row for row in fitting if 0 <= row.right <= row.total][: len(spots(settings))]


@kit.kept(512, N_("Reading"))
def guess_of(model: "LanguageModel", text: str, spot: "Spot") -> tuple[str, float]:
    """A model's first guess at a word, and the probability that it gives to the word itself."""
    from explorer.analysis.prediction import shannon

    best = shannon.next_words(model, text, spot, 1)
    right = shannon.next_word(model, text, spot, spot.word).probability or 0.0
    return next((one.token for one in best), ""), right


def guess_of_table(table: ngrams.Ngrams, text: str, spot: "Spot") -> tuple[str, float]:
    """The same of the table."""
    before, words = ngrams.split(text[: spot.start]), ngrams.split(spot.word)
    best = (word for word, _count in table.following[table.seen(before)].most_common() if has_letters(word))
    right = 1.0
    for at, word in enumerate(words):
        right *= table.probability(word, [*before, *words[:at]])
    return next(best, ""), right


def draw(page: kit.OpenPage[None], table: ngrams.Ngrams) -> kit.Export:
    """The text up to the word that is asked for; who would have said what at the last one, and the score."""
    settings, text = page.settings, page.settings[NEW_TEXT]
    every, played = spots(settings), rounds(settings)
    if not every:
        kit.instruction(_("This text has no words: type a sentence."))
        return kit.Export(N_("Guesses"), "guesses.csv", lambda: kit.table(["who", "guess"], []))
    at = len(played)
    # On a stage the question above is about the word that is shown, until the next one is asked for.
    st.html(_passage(text, every, at, has_gap=not (at and kit.for_class())))
    if at < len(every):
        _ask(page)
    rows = score(page, table, played)
    if rows:
        st.html(_table(every[at - 1].word, rows, at, kit.blocklist.over("", text)))
        live_region(_("The word is “{word}”.", word=every[at - 1].word))
    else:
        kit.note(_("Everybody guesses the word. Then it is shown, with what the table and the models say."))
    heads = ["who", "first guess", "probability of the word", "words guessed", "bits a word"]
    return kit.Export(N_("Guesses"), "guesses.csv", lambda: kit.table(heads, rows))


def _table(word: str, rows: list[Score], count: int, blocked: kit.Blocklist) -> str:
    """Who guessed the last word, and what it gave to it; of several words also how each has done so far."""
    last = (_("guessed so far") if count > 1 else "") if kit.for_class() else _("bits a word")
    gave = _("gave “{word}”", word=escape(word))
    heads = "".join(f"<th>{head}</th>" for head in (_("first guess"), gave, last) if head)
    lines = []
    for who, guess, probability, guessed, bits in rows:
        (shown,) = kit.blocklist.written(blocked, [guess_in_words(guess) or _("no word")])
        right = f' <b aria-label="{_("right")}">✓</b>' if key(guess) == key(word) else ""
        bar = f'<i style="--share:{probability:.4f}"></i>' if probability else ""
        share = "" if probability is None else kit.short(probability)
        of_all = _("{number} of {count}", number=guessed, count=count)
        so_far = of_all if kit.for_class() else "" if bits is None else localised(f"{bits:.1f}")
        cells = f'<td translate="no">{escape(shown)}{right}</td><td><span>{bar}{share}</span></td>'
        name = _(who) if who in (CLASS, YOU, COUNTING) else who
        lines.append(f"<tr><th>{escape(name)}</th>{cells}{f'<td>{so_far}</td>' if last else ''}</tr>")
    body = f"<thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(lines)}</tbody>"
    return f'<div class="rb-wide"><table class="rb-score">{body}</table></div>'


def score(page: kit.OpenPage[None], table: ngrams.Ngrams, played: list[Round]) -> list[Score]:
    """Of each side: its guess at the last word and what it gave to it, the words guessed, and the mean bits.

    Where nobody has sent a guess there is no class.
    """
    text, every = page.settings[NEW_TEXT], spots(page.settings)
    if not played:
        return []
    last, places = played[-1], every[: len(played)]

    def guessed(guesses: Iterable[str]) -> int:
        return sum(key(guess) == key(spot.word) for guess, spot in zip(guesses, places, strict=True))

    counted = [bits_of_class(one.right, one.total) for one in played if one.total >= ENOUGH]
    rows: list[Score] = []
    if any(one.total for one in played):
        share = last.right / last.total if last.total else None
        who = YOU if class_room.room() is None and last.total <= 1 else CLASS
        rows.append((who, last.guess, share, guessed(one.guess for one in played), _mean(counted)))
    sides = {COUNTING: [guess_of_table(table, text, spot) for spot in places]}
    for model in models(page):
        name = kit.memory.short_label(str(model.checkpoint))
        sides[name] = [guess_of(model, text, spot) for spot in places]
    for name, side in sides.items():
        bits = _mean([-log2(max(right, 1e-12)) for _guess, right in side])
        rows.append((name, *side[-1], guessed(guess for guess, _right in side), bits))
    return rows


def _mean(bits: list[float]) -> float | None:
    return sum(bits) / len(bits) if bits else None


def _passage(text: str, every: "list[Spot]", at: int, has_gap: bool) -> str:
    """The text before the word that is asked for, the last one marked; with a gap for it."""
    last, here = (every[at - 1] if at else None), (every[at] if at < len(every) else None)
    shown = text[: here.start] if here else text
    if last is not None:
        marked = f"<mark>{escape(last.word)}</mark>"
        html = f"{escape(shown[: last.start])}{marked}{escape(shown[last.end :])}"
    else:
        html = escape(shown)
    gap = f'<i aria-label="{_("the word to guess")}">?</i>' if here and has_gap else ""
    return f'<div class="rb-tale" dir="auto" translate="no" tabindex="0">{html}{gap}</div>'


def _ask(page: kit.OpenPage[None]) -> None:
    """A box for one person, or buttons for a class."""
    settings, here = page.settings, class_room.room()

    def enter() -> None:
        word = BOX.get().strip()
        BOX.set("")
        if word:
            show_word(settings, {word: 1})

    @problem.keep_errors
    def reveal() -> None:
        votes = panel.votes()
        class_room.close()
        panel.reveal()
        show_word(settings, votes)

    with st.container(horizontal=True, key="guess-buttons", vertical_alignment="bottom"):
        if here is None:
            if not kit.for_class():
                st.text_input(_("The next word"), key=BOX, on_change=enter, width=320, autocomplete="off")
            st.button(
                _("Show the next word") if rounds(settings) else _("Show the word"),
                key="guess/show",
                type="primary" if kit.for_class() else "secondary",
                on_click=show_word,
                args=[settings, {}],
            )
        else:
            (poll,) = polls(page)
            if (asked := class_room.question()) is not None and asked.question == poll.question:
                st.button(_("Show the word"), key="guess/show", type="primary", on_click=reveal)
            else:
                ask = problem.keep_errors(class_room.ask)
                st.button(_("Ask the class"), key="guess/ask", type="primary", on_click=ask, args=[poll])
        if rounds(settings):
            again = [ROUNDS.to([])]
            st.button(_("Start over"), key="guess/again", type="tertiary", on_click=settings.set, args=again)


def show_word(settings: Settings, votes: dict[str, int]) -> None:
    """Show the word that is asked for, with what was sent for it (for a callback)."""
    every, played = spots(settings), rounds(settings)
    if len(played) < len(every):
        word = key(every[len(played)].word)
        right = sum(count for guess, count in votes.items() if key(guess) == word)
        settings.set(ROUNDS.to([*map(list, played), [first_guess(votes), right, sum(votes.values())]]))


def show_asked(settings: Settings) -> None:
    """Show the word that the class was asked for, or without a question the first one (for a callback)."""
    current, every = class_room.question(), spots(settings)
    at = len(rounds(settings))
    if current is None and not at:
        show_word(settings, {})
    elif current is not None and at < len(every) and current.question == question(settings):
        show_word(settings, panel.votes())


def first_guess(votes: dict[str, int]) -> str:
    """The most frequent guess; of several a few are named. In English, as it stands in the link.

    >>> first_guess({"was": 3, "is": 1}), first_guess({"was": 2, "is": 2}), first_guess({})
    ('was', 'a tie: was, is', 'no guess')
    """
    first = [guess for guess, count in votes.items() if count == max(votes.values())]
    if len(first) < 2:
        return first[0] if first else NO_GUESS
    return TIE.format(words=", ".join(first)) if len(first) <= NAMED else LARGE_TIE.format(count=len(first))


def guess_in_words(guess: str) -> str:
    """A most frequent guess in the language of whoever sees it."""
    if guess == NO_GUESS:
        return _(NO_GUESS)
    if (tie := A_TIE.fullmatch(guess)) is None:
        return guess
    return _(TIE, words=tie[1]) if tie[1] else _(LARGE_TIE, count=tie[2])


def question(settings: Settings) -> Question:
    """Which word comes next in the new text, which has not been shown to its end."""
    spot = spots(settings)[len(rounds(settings))]
    return Question("word", _(GUESS), f"{kit.text_end(settings[NEW_TEXT][: spot.start].rstrip())} …")


def polls(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """The question for the next word, beside the guesses of the page's model."""
    from explorer.analysis.prediction import shannon

    settings, text = page.settings, page.settings[NEW_TEXT]
    every, at = spots(settings), len(rounds(settings))
    if at >= len(every):
        return []
    spot = every[at]

    def guesses() -> dict[str, float]:
        return {one.token: one.probability for one in shannon.next_words(page.model, text, spot, 6)}

    who = kit.memory.short_label(page.model_name)
    return [kit.Poll(question(settings), kit.Later(guesses), spot.word, who)]
