"""Guess: Shannon's game, in which a person and the model guess the words of a passage."""

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

import explorer
from explorer.catalogue.ability import Ability
from explorer.views import kit
from explorer.views.continuations import examples
from explorer.views.continuations.game import (
    EVERY,
    GUESSES,
    MOST_WORDS,
    expected,
    found_at,
    guessed_words,
    looked_up,
    passage,
    played_words,
    score,
    shortened,
    verdict,
)
from explorer.views.continuations.settings import CHOSEN_TALE, GAME, MASKER, MODEL, ROUNDS, TRIED, WORD_INDEX
from explorer.views.frame.polls import panel
from explorer.views.frame.polls.poll import LONGEST_TEXT
from explorer.views.types import LanguageModel, Probe, Spot
from explorer.views.widgets.visually_hidden import live_region

BOX = kit.Session("continuations/guess", "")
RESETS = [WORD_INDEX.to(-1), TRIED.to([]), ROUNDS.to([])]  # back to the beginning of the passage
GAMES = {"next": "Next word", "masked": "Hidden word"}


def controls(page: kit.OpenPage[None]) -> None:
    """Draw one row: which word to guess, against which model, another passage, Start over."""
    settings = page.settings

    def again() -> None:
        settings.set(*RESETS)

    def choose() -> None:
        kit.picker.choose(settings[MASKER])
        again()

    with st.container(key="guess-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        kit.segments(settings, GAME, "What to guess", GAMES, on_change=again)
        if settings[GAME] == "masked":
            models = [str(c) for c in explorer.available() if c.abilities and c.abilities & Ability.FILL]
            kit.menu(
                settings,
                MASKER,
                "Against",
                {name: kit.memory.short_label(name) for name in models},
                label_visibility="collapsed",
                width=240,
                format_func=lambda name: f"against {kit.memory.short_label(name)}",
                on_change=choose,
            )
        with st.popover("Another passage"):
            kit.text_box(
                settings, CHOSEN_TALE, "A passage to guess", "Paste a passage", lines=6, resets=RESETS
            )
        st.button("Start over", key="continuations/again", type="tertiary", on_click=again)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Draw the passage with its blank, the guesses, and the score."""
    from explorer.analysis.prediction import shannon

    settings = page.settings
    text, cut = shortened(settings[CHOSEN_TALE])
    spots = shannon.spots(text)
    word_numbers = guessed_words(spots, settings[GAME])
    if not word_numbers:
        kit.instruction("This passage has too few words to guess: choose another.")
        return []
    at = settings[WORD_INDEX] if settings[WORD_INDEX] in word_numbers else word_numbers[0]
    model = kit.picker.load(settings[MASKER]) if settings[GAME] == "masked" else page.model
    played = played_words(settings, spots)
    _board(settings, model, text, spots, at, word_numbers, played)
    st.html(score(played, model, settings[GAME], text, spots))
    if cut:
        kit.note(f"The first {MOST_WORDS} words are played; {cut:,} more were cut.")
    return [
        kit.Picture("picture", "guesses"),
        kit.Export(
            "Guesses",
            "guesses.csv",
            lambda: kit.table(
                ["word", "found at guess"], [[spots[n].word, number or "not found"] for n, number in played]
            ),
        ),
    ]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The model's side of the game from Python."""
    from explorer.analysis.prediction import shannon

    settings = page.settings
    text, _ = shortened(settings[CHOSEN_TALE])
    first = next(iter(guessed_words(shannon.spots(text), settings[GAME])), 0)
    hidden = settings[GAME] == "masked"
    return kit.Example(
        examples.guesses_at_words,
        model=kit.Load(settings[MASKER if hidden else MODEL]),
        text=text,
        first=first,
        every=EVERY[settings[GAME]],
        guesses=GUESSES,
        hidden=hidden,
    )


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which word is to be guessed."""
    from explorer.analysis.prediction import shannon

    settings = page.settings
    text, _ = shortened(settings[CHOSEN_TALE])
    spots, game = shannon.spots(text), settings[GAME]
    word_numbers = guessed_words(spots, game)
    if not word_numbers:
        return []
    at = settings[WORD_INDEX] if settings[WORD_INDEX] in word_numbers else word_numbers[0]
    masked, before = game == "masked", kit.text_end(text[: spots[at].start].rstrip())
    rest = f"{kit.GAP}{text[spots[at].end :][:LONGEST_TEXT]}" if masked else "…"
    question = f"Which word {'is hidden' if masked else 'comes next'}?"

    def guesses() -> dict[str, float]:
        model = kit.picker.load(settings[MASKER]) if masked else page.model
        return {c.token: c.probability for c in expected(model, game, text, at)[0]}

    who = kit.memory.short_label(settings[MASKER if masked else MODEL])
    return [
        kit.Poll(kit.Question("word", question, f"{before} {rest}"), kit.Later(guesses), spots[at].word, who)
    ]


def _board(
    settings: kit.Settings,
    model: "LanguageModel",
    text: str,
    spots: "list[Spot]",
    at: int,
    word_numbers: "Sequence[int]",
    played: list[tuple[int, int | None]],
) -> None:
    """Draw the passage and the form; beside them the guesses with their ranks."""
    spot, game = spots[at], settings[GAME]
    guesses = [guess for guess in settings[TRIED] if isinstance(guess, str)][:GUESSES]
    right_guesses = dict(played)
    revealed = at in right_guesses
    following = next((n for n in word_numbers if n > at), None)

    def close(number: int | None) -> None:
        settings.set(ROUNDS.to([*map(list, played), [at, number]]))

    def entered() -> None:
        guess = BOX.get().strip()
        BOX.set("")  # ready for the next guess, and the cursor stays in the box
        if guess and not revealed:
            settings.set(WORD_INDEX.to(at), TRIED.to([*guesses, guess]))
            if spot.is_(guess) or len(guesses) + 1 >= GUESSES:
                close(len(guesses) + 1 if spot.is_(guess) else None)

    def given_up() -> None:
        settings.set(WORD_INDEX.to(at))
        close(None)

    def moved() -> None:
        assert following is not None  # otherwise the button is disabled
        settings.set(WORD_INDEX.to(following), TRIED.to([]))

    left, right = st.columns([60, 40], gap="large")
    with left:
        st.html(passage(text, spot, game, revealed))
        columns = st.columns([4, 2.5, 2.5], vertical_alignment="bottom")
        columns[0].text_input(
            "The word is shown" if revealed else f"Guess {len(guesses) + 1} of {GUESSES}",
            key=BOX,
            on_change=entered,
            disabled=revealed,
            autocomplete="off",
            placeholder="a word, then Enter",
        )
        columns[1].button(
            "Show it", key="continuations/show", on_click=given_up, disabled=revealed, width="stretch"
        )
        columns[2].button(
            "Next word" if revealed else "Skip",
            key="continuations/on",
            on_click=moved,
            width="stretch",
            disabled=following is None,
            type="primary" if revealed else "secondary",
        )
    with right:
        _ranks(model, game, text, at, spot, guesses, revealed, right_guesses.get(at))


def _ranks(
    model: "LanguageModel",
    game: str,
    text: str,
    at: int,
    spot: "Spot",
    guesses: list[str],
    revealed: bool,
    guess_number: int | None,
) -> None:
    """Draw each guess with its rank; once the word is shown, the model's own guesses too."""
    name = str(model.checkpoint)
    blocked = kit.blocklist.over(name, text, *guesses)
    before = text[: spot.start]
    rows: list[dict[str, Any]] = []
    if revealed:
        candidates, own_probe = expected(model, game, text, at)
        model_number = found_at(spot, [c.token for c in candidates])
        rows = [
            {
                "token": c.token,
                "probability": c.probability,
                "rank": looked_up(model, game, text, at, c.token).rank,
                "state": "chosen" if spot.is_(c.token) else "",
                "covered": kit.blocklist.covers(blocked, before, c.token),
            }
            for c in candidates
        ]
        if model_number is None:
            rows.append(_row(spot.word, own_probe, "chosen") | {"pinned": True})
        sentence = verdict(guess_number, model_number, own_probe, kit.memory.short_label(name))
        st.html(f'<p class="rb-how">{escape(sentence)}</p>')
        live_region(sentence)
    elif guesses:
        st.html('<p class="rb-how">Not yet. Your guesses in the model’s list:</p>')
        last = looked_up(model, game, text, at, guesses[-1])
        live_region(f"Not yet. {guesses[-1]}: {f'rank {last.rank:,}' if last.rank else last.note}")
    else:
        target = "the word that comes next" if game == "next" else "the hidden word"
        st.html(f'<p class="rb-how">Type {target} and press Enter to see its rank in the model’s list.</p>')
    listed = {row["token"].casefold() for row in rows}
    rows += [
        _row(guess, looked_up(model, game, text, at, guess), "highlight") | {"pinned": revealed}
        for guess in guesses
        if guess.casefold() not in listed
    ]
    if rows:
        label = "Guesses, with their probability"
        kit.bars(rows, "continuations/guesses", label, visible=GUESSES, headings=("probability",))


def _row(word: str, probe: "Probe", state: str) -> dict[str, Any]:
    return {
        "token": word,
        "probability": probe.probability,
        "rank": probe.rank,
        "state": state,
        "tip": probe.note,
        "instead": "unknown",
    }


def show_first(settings: kit.Settings) -> None:
    """Show the first word beside the guess of most of a class, which it has sent on its phones."""
    from explorer.analysis.prediction import shannon

    text, _ = shortened(settings[CHOSEN_TALE])
    spots, votes = shannon.spots(text), panel.votes()
    word_numbers = guessed_words(spots, settings[GAME])
    if word_numbers and votes and not settings[ROUNDS]:
        at, guess = word_numbers[0], next(iter(votes))
        number = 1 if spots[at].is_(guess) else None
        settings.set(WORD_INDEX.to(at), TRIED.to([guess]), ROUNDS.to([[at, number]]))


VIEW_TEXT = kit.view_text("continuations", "guess")

VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=lambda page: VIEW_TEXT.reading.filled(guesses=GUESSES)),
    settings=(GAME, MASKER, CHOSEN_TALE, WORD_INDEX, TRIED, ROUNDS),
    needs=("GENERATE",),
    model=kit.WRITER,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(start=show_first, polls=asks),
)
