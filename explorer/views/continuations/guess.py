"""Guess: Shannon's game, a person against the model, over the words of a passage."""

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.continuations.game import (
    GIVEN,
    GUESSES,
    MOST_WORDS,
    expected,
    found_at,
    looked_up,
    rounds,
    said,
    score,
    shortened,
    turns,
)  # fmt: skip
from explorer.views.continuations.presets import GUESS as PRESETS
from explorer.views.frame import blocklist, memory
from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.widgets.bars import bars
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.prediction.fill import Probe
    from explorer.analysis.prediction.shannon import Spot
    from explorer.models import LanguageModel

__all__ = ["PRESETS", "code", "draw", "how"]

BOX = "continuations/guess"
GAMES = {"next": "Next word", "masked": "Hidden word"}


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The passage with its blank, the guesses, and the score."""
    from explorer.analysis.prediction import shannon

    _controls(settings)
    text, cut = shortened(settings["tale"])
    spots = shannon.spots(text)
    order = turns(spots, settings["game"])
    with st.container(key="picture"):
        if not order:
            st.html('<p class="rb-how" style="font-size:22px">This passage has too few words to guess: '
                    "choose another.</p>")  # fmt: skip
            return
        at = settings["spot"] if settings["spot"] in order else order[0]
        name = settings["masker"] if settings["game"] == "masked" else settings["model"]
        played = rounds(settings, spots)
        _board(settings, text, spots, at, order, name, played)
        st.html(score(played, name, settings["game"], text, spots))
        rows = [[spots[n].word, found or "not found"] for n, found in played]
        offer(settings, Export("Guesses", "guesses.csv", lambda: table(["word", "found at guess"], rows)))
        if cut:
            st.html(f'<p class="rb-quiet" style="margin:0">The first {MOST_WORDS} words are played; '
                    f"{cut:,} more were cut.</p>")  # fmt: skip


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        f"Up to {GUESSES} guesses a word, for you and for the model. The bits are Shannon’s: what it would "
        "cost to write the passage as numbers of guesses, and to look up in a list the words that no guess "
        "found. Fewer is better.",
        "Over a dozen words the count is rough. The model’s guesses are its likeliest tokens, each completed "
        "to a word; its own bits come from the probability it gave to the word.",
    )


def code(settings: Settings) -> str:
    """The model's side of the game in Python."""
    hidden = settings["game"] == "masked"
    name, call = (settings["masker"], "hidden_words") if hidden else (settings["model"], "next_words")
    return f"""\
import explorer
from explorer.analysis.prediction import shannon

model = explorer.load({name!r})
text = {settings["tale"]!r}
for spot in shannon.spots(text)[{GIVEN}:]:
    guesses = guessing.{call}(model, text, spot, {GUESSES})
    print(f"{{spot.word:16}}", *(guess.token for guess in guesses))
"""


def _controls(settings: Settings) -> None:
    import explorer
    from explorer.trace import Ability

    if settings["game"] not in GAMES:
        settings.set(game="next")

    def again() -> None:
        settings.set(spot=-1, tried=[], rounds=[])

    with st.container(key="guess-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        st.segmented_control(
            "What to guess", list(GAMES), key=settings.key("game"), format_func=GAMES.get, required=True,
            label_visibility="collapsed", on_change=again,
        )  # fmt: skip
        if settings["game"] == "masked":
            able = [str(c) for c in explorer.available() if c.abilities and c.abilities & Ability.FILL]
            if settings["masker"] not in able:
                settings.set(masker=able[0])
            st.selectbox(
                "Against", able, key=settings.key("masker"), label_visibility="collapsed", width=240,
                format_func=lambda name: f"against {memory.short_label(name)}", on_change=again,
            )  # fmt: skip
        with st.popover("Another passage"):
            text_box(settings, "tale", "A passage to guess", "Paste a passage", lines=6, on_change=again)
        st.button("Start over", key="continuations/again", type="tertiary", on_click=again)


def _board(
    settings: Settings,
    text: str,
    spots: "list[Spot]",
    at: int,
    order: list[int],
    name: str,
    played: list[tuple[int, int | None]],
) -> None:
    """The passage and the form; beside it, where the guesses stand."""
    spot, game = spots[at], settings["game"]
    tried = [guess for guess in settings["tried"] if isinstance(guess, str)][:GUESSES]
    done = dict(played)
    revealed = at in done
    following = next((n for n in order if n > at), None)

    def close(found: int | None) -> None:
        settings.set(rounds=[*map(list, played), [at, found]])

    def guessed() -> None:
        guess = st.session_state[BOX].strip()
        st.session_state[BOX] = ""  # for the next one; the cursor stays
        if guess and not revealed:
            settings.set(spot=at, tried=[*tried, guess])
            if spot.is_(guess) or len(tried) + 1 >= GUESSES:
                close(len(tried) + 1 if spot.is_(guess) else None)

    def given_up() -> None:
        settings.set(spot=at)
        close(None)

    def moved() -> None:
        settings.set(spot=following, tried=[])

    left, right = st.columns([60, 40], gap="large")
    with left:
        st.html(passage(text, spot, game, revealed))
        columns = st.columns([5, 2, 2], vertical_alignment="bottom")
        columns[0].text_input(
            "The word is out" if revealed else f"Guess {len(tried) + 1} of {GUESSES}", key=BOX,
            on_change=guessed, disabled=revealed, autocomplete="off", placeholder="a word, then Enter",
        )  # fmt: skip
        columns[1].button(
            "Show it", key="continuations/show", on_click=given_up, disabled=revealed, width="stretch"
        )
        columns[2].button(
            "Next word" if revealed else "Skip", key="continuations/on", on_click=moved, width="stretch",
            disabled=following is None, type="primary" if revealed else "secondary",
        )  # fmt: skip
    with right:
        _standing(name, game, text, at, spot, tried, revealed, done.get(at))


def passage(text: str, spot: "Spot", game: str, revealed: bool) -> str:
    """The text with its blank, or with the word in its place."""
    word = f"<mark>{escape(spot.word)}</mark>" if revealed else "<i aria-label='the word to guess'>?</i>"
    after = escape(text[spot.end :]) if game == "masked" else ""
    return f'<div class="rb-tale" dir="auto" tabindex="0">{escape(text[: spot.start])}{word}{after}</div>'


def _standing(
    name: str,
    game: str,
    text: str,
    at: int,
    spot: "Spot",
    tried: list[str],
    revealed: bool,
    found: int | None,
) -> None:
    """Where each guess stands in the model's list; once the word is out, the model's own guesses too."""
    cover = blocklist.over(name, text, *tried)
    before = text[: spot.start]
    rows: list[dict[str, Any]] = []
    if revealed:
        candidates, own = expected(name, game, text, at)
        theirs = found_at(spot, [c.token for c in candidates])
        rows = [
            {
                "token": c.token,
                "probability": c.probability,
                "rank": number,
                "state": "chosen" if spot.is_(c.token) else "",
                "covered": blocklist.covers(cover, before, c.token),
            }
            for number, c in enumerate(candidates, 1)
        ]
        if theirs is None:
            rows.append(_row(spot.word, own, "chosen") | {"pinned": True})
        st.html(f'<p class="rb-how">{said(found, theirs, own, memory.short_label(name))}</p>')
    elif tried:
        st.html('<p class="rb-how">Not yet. Where your guesses stand for the model:</p>')
    else:
        what = "the word that comes next" if game == "next" else "the hidden word"
        st.html(f'<p class="rb-how">Type {what} and press Enter: you will see where your guess stands.</p>')
    shown = [
        guess
        for guess in tried
        if not (revealed and any(r["token"].casefold() == guess.casefold() for r in rows))
    ]
    rows += [
        _row(guess, looked_up(name, game, text, at, guess), "highlight") | {"pinned": revealed}
        for guess in shown
    ]
    if rows:
        bars(rows, "continuations/guesses", "Guesses, with their probability", visible=GUESSES,
             headings=("probability",))  # fmt: skip


def _row(word: str, probe: "Probe", state: str) -> dict[str, Any]:
    return {
        "token": word, "probability": probe.probability, "rank": probe.rank, "state": state,
        "tip": probe.note, "instead": "unknown",
    }  # fmt: skip
