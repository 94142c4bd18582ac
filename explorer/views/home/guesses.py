"""The guesses for a gap: BERT's, and beside them those of the model that reads from the left."""

from typing import Any

import streamlit as st

from explorer import assets
from explorer.assets import TEXTS
from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.frame.lecture import lecturing
from explorer.views.home.settings import GAP_AT, HIDDEN, TEXT
from explorer.views.types import Model
from explorer.views.widgets.bars import FULL_BAR
from explorer.views.widgets.first_guess import SMALL, repeats, repetition_line, say_first

MODEL = "bert"
ROWS = 6
READ_ON = kit.Session("/home/read-on", "")  # the sentence that the second reader was asked about
TRIED = N_("{name} tries words and reads on with each; its probabilities are among these.")


def draw(settings: kit.Settings, text: str, rows: list[dict[str, Any]]) -> kit.Saves:
    """BERT's bars, which are `rows`; beside them the second reader's, stored or once it has been asked."""
    name = kit.memory.short_label(kit.WRITER)
    saves: list[kit.Export | kit.Picture] = [kit.Picture("picture", "start")]
    saves.append(kit.Export(N_("Guesses"), "guesses.csv", lambda: as_table(rows)))
    alone = kit.presenter.presenting() or lecturing.at() is not None  # a stop of a lecture speaks of BERT
    asked = (kit.WRITER in _stored(text) and not alone) or READ_ON.get() == text
    left, right = st.columns(2, gap="large") if asked or not alone else (st.container(), None)
    with left:
        _draw_bars(settings, text, MODEL, rows, settings[HIDDEN])
        repetition_line(rows, SMALL)
        say_first(rows)
    if right is not None and not asked:
        right.button(
            _("What does {name} put there?", name=name), key="home/second", on_click=READ_ON.set, args=(text,)
        )
    if right is None or not asked:
        kit.note_html(_(FULL_BAR))
        return saves
    with right:
        second = _second_rows(text, settings[GAP_AT])
        _draw_bars(settings, text, kit.WRITER, second)
        repetition_line(second)
    kit.note_html(f"{_(FULL_BAR)} {_(TRIED, name=name)}")
    return [*saves, kit.Export(_("Guesses by {name}", name=name), "read-on.csv", lambda: as_table(second))]


def _draw_bars(
    settings: kit.Settings, text: str, name: str, rows: list[dict[str, Any]], hidden: str = ""
) -> None:
    """A model's guesses under its name, and the word that was hidden; a click on a bar fills the gap."""

    def clicked(index: int) -> None:
        from explorer.analysis.prediction import masking

        settings.set(
            TEXT.to(masking.fill(text, settings[GAP_AT], rows[index]["token"])), HIDDEN.to(""), GAP_AT.to(0)
        )

    model = kit.memory.short_label(name)
    if text.count(kit.MASK) > 1:
        heading = _("{model}’s guesses for gap {number}", model=model, number=settings[GAP_AT] + 1)
    else:
        heading = _("{model}’s guesses for the gap", model=model)
    hidden_word = _("hidden: {word}", word=kit.quoted(hidden))
    more = f' <span class="rb-quiet">{hidden_word}</span>' if hidden else ""
    st.html(f'<p class="rb-how"><b>{heading}</b>{more}</p>')
    if rows:
        kit.bars(
            rows,
            key=f"home/bars/{name}",
            label=_("{heading}; press one to fill it", heading=heading),
            on_click=clicked,
        )


def _second_rows(text: str, blank: int) -> list[dict[str, Any]]:
    """The second reader's guesses; none while it waits for its turn, which is said."""
    if (best := _stored(text).get(kit.WRITER)) is None:
        from explorer.analysis import prediction
        from explorer.views.frame import reading_turn

        part = reading_turn.up_to(text, blank)
        if not (reading_turn.read(kit.WRITER, part) or reading_turn.wait(kit.WRITER, part)):
            return []
        model = kit.memory.get(kit.WRITER)
        predictions, _ = reading_turn.timed(model, part)
        best = [(c.token, c.probability) for c in prediction.top(model, predictions, blank, ROWS)]
    return _rows(kit.WRITER, text, blank, best)


def bert_rows(text: str, blank: int) -> list[dict[str, Any]]:
    """BERT's first guesses for a gap as rows of bars; those for the opening sentence are stored."""
    best = _stored(text).get(MODEL) or _first_guesses(kit.memory.get(MODEL), text, ROWS, blank)
    return _rows(MODEL, text, blank, best)


def first_guesses(model: "Model", text: str, top: int, blank: int) -> list[tuple[str, float]]:
    """The most probable words for one [MASK] of a text; `blank` is its number, 0 the first."""
    from explorer.analysis import prediction

    return prediction.fill_mask(model, text, top)[blank]


_first_guesses = kit.kept(64)(first_guesses)


def _stored(text: str) -> dict[str, Any]:
    """The guesses for the opening sentence by the names of their models; none for another sentence."""
    stored = assets.data(TEXTS / "home.json")
    return stored["guesses"] if text == stored["text"] else {}


def _rows(name: str, text: str, blank: int, best: list[tuple[str, float]]) -> list[dict[str, Any]]:
    """A model's guesses as rows of bars, blocked words covered."""
    blocked = kit.blocklist.over(name, text)
    parts = text.split(kit.MASK)
    before, after = kit.MASK.join(parts[: blank + 1]), kit.MASK.join(parts[blank + 1 :])
    return [
        {
            "token": word,
            "probability": p,
            "covered": kit.blocklist.covers(blocked, before, word, after),
            "repeats": repeats(text, word),
        }
        for word, p in best
    ]


def as_table(rows: list[dict[str, Any]]) -> str:
    """The guesses as a table to save, blocked words as dots."""
    words = [kit.blocklist.DOTS if row["covered"] else row["token"] for row in rows]
    lines = [[rank, word, row["probability"]] for rank, (word, row) in enumerate(zip(words, rows), 1)]
    return kit.table(["rank", "word", "probability"], lines)
