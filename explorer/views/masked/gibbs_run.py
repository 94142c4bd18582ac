"""Three ways of writing in one session, made in turns: what was asked for, and the steps there are."""

from dataclasses import dataclass
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import blocklist
from explorer.views.frame.saving import table
from explorer.views.frame.settings import Settings
from explorer.views.masked.blanks import MASK
from explorer.views.widgets.bars import short

if TYPE_CHECKING:
    from explorer.analysis.prediction.gibbs import Speech, Writing
    from explorer.models import LanguageModel

TURN_SECONDS = 0.15  # how long one turn writes; other visitors are served between two
CANDIDATES = 5
BLANK = "____"
RUN = "masked/writing"
_numbers = count()


@dataclass(eq=False)
class Lane:
    """One way of writing as it is drawn: `rows` is a step each, `pieces` the text as it is shown now."""

    writing: "Writing"
    start: list[str]
    pieces: list[str]
    rows: list[dict[str, Any]]


@dataclass(eq=False)
class Run:
    """Three ways of writing in one session: what was asked for, and the steps there are so far."""

    asked: tuple[Any, ...]
    number: int
    cover: blocklist.Veil
    frame: list[dict[str, Any]]
    lanes: list[Lane]

    @property
    def made(self) -> int:
        """Steps of all ways together."""
        return sum(len(lane.rows) for lane in self.lanes)

    @property
    def total(self) -> int:
        """Steps of the longest way."""
        return max(lane.writing.total for lane in self.lanes)


def speech(settings: Settings) -> "Speech":
    """The settings as the analysis knows them; half of Gibbs' steps are burn-in, as in the paper."""
    from explorer.analysis.prediction.gibbs import Speech

    return Speech(
        temperature=settings["temperature"],
        top_k=settings["top_k"] or None,
        burn_in=settings["steps"] // 2,
        steps=settings["steps"],
        noise=settings["start"] == "noise",
        seed=settings["seed"],
    )


def begin(settings: Settings, model: "LanguageModel") -> Run:
    """The three ways before their first step. Raises TextError for a frame without [MASK], or too long."""
    from explorer.analysis.prediction import gibbs

    text = gibbs.widened(settings["frame"], settings["blanks"])
    said = speech(settings)
    writings = [gibbs.write(model, text, way, said) for way in gibbs.Way]
    cover = blocklist.over(str(model.checkpoint), settings["frame"])
    lanes = []
    for writing in writings:
        pieces = shown(writing, cover)
        lanes.append(Lane(writing, pieces, pieces, []))
    return Run(asked(settings, model), next(_numbers), cover, _frame(model, text), lanes)


def current(settings: Settings, model: "LanguageModel") -> Run:
    """This session's writing; a new one, not yet begun, where anything was changed."""
    run = st.session_state.get(RUN)
    if run is None or run.asked != asked(settings, model):
        run = st.session_state[RUN] = begin(settings, model)
    return run


def extend(run: Run) -> None:
    """Write on, a step of each way in turn: as much as fits into one turn, and one step at least."""
    started = perf_counter()
    while perf_counter() - started < TURN_SECONDS:
        stepped = [_step(run, lane) for lane in run.lanes]
        if not any(stepped):
            return


def shown(writing: "Writing", cover: blocklist.Veil) -> list[str]:
    """The blanks of a text as they stand, as a class sees them: `##` before a piece that joins."""
    tokens = _tokens(writing)
    spaced = [token[2:] if blocklist.joins(token) else f" {token}" for token in tokens]
    seen = blocklist.written(cover, spaced)
    pieces = []
    for position in writing.positions:
        if tokens[position] == MASK:
            pieces.append(BLANK)
        else:
            pieces.append(("##" if blocklist.joins(tokens[position]) else "") + seen[position].strip())
    return pieces


def _tokens(writing: "Writing") -> list[str]:
    return [writing.model.tokenizer.readable(id) for id in writing.ids.tolist()]


def _step(run: Run, lane: Lane) -> bool:
    """One step of one way, as a row for the page; False where it is at its end."""
    writing = lane.writing
    step = next(writing, None)
    if step is None:
        return False
    pieces = shown(writing, run.cover)
    changed = [[i, new] for i, (old, new) in enumerate(zip(lane.pieces, pieces)) if old != new]
    tokens, at = _tokens(writing), writing.positions[step.place]
    text = pieces[step.place]
    lane.pieces = pieces
    lane.rows.append(
        {
            "place": step.place,
            "shown": changed,
            "says": f"{text}: probability {short(step.probability)}, rank {step.rank:,}",
            "told": f"{text}, step {len(lane.rows) + 1}: probability {step.probability:.6g}, "
            f"chance of being drawn {step.chance:.6g}, rank {step.rank:,}",
            "candidates": [
                {
                    "text": blocklist.DOTS
                    if blocklist.covers_piece(run.cover, tokens, at, c.token)
                    else c.token,
                    "probability": round(c.probability, 5),
                    "number": short(c.probability),
                    "taken": c.id == step.id,
                }
                for c in step.candidates[:CANDIDATES]
            ],
        }
    )
    return True


def asked(settings: Settings, model: "LanguageModel") -> tuple[Any, ...]:
    """All that a writing depends on."""
    names = ("frame", "blanks", "temperature", "top_k", "steps", "start", "seed")
    return (str(model.checkpoint), *(settings[name] for name in names))


def steps(run: Run) -> str:
    """Every step of every way as a table, as a class sees it."""
    rows = [
        [str(lane.writing.way), number, step.place + 1, _last(row), step.probability, step.rank, step.chance]
        for lane in run.lanes
        for number, (step, row) in enumerate(zip(lane.writing.steps, lane.rows), 1)
    ]
    return table(["way", "step", "blank", "word", "probability", "rank", "chance"], rows)


def texts(run: Run) -> str:
    """The texts as they stand, a line each."""
    lines = []
    for lane in run.lanes:
        said = ""
        for part in run.frame:
            text = part.get("text") or lane.pieces[part["place"]]
            glued = part.get("glued") or blocklist.joins(text)
            said += (text[2:] if blocklist.joins(text) else text) if glued else f" {text}"
        lines.append(f"{lane.writing.way}:{said}")
    return "\n".join(lines) + "\n"


def _frame(model: "LanguageModel", text: str) -> list[dict[str, Any]]:
    """The words of a text in order: those that stay, and the blanks by number."""
    from explorer.analysis.words import words

    parts, place, end = [], 0, -1
    for word in words(model.encode(text)):
        if word.text == MASK and not word.special:
            parts.append({"place": place})
            place += 1
        elif not word.special:
            parts.append({"text": word.text, "glued": bool(parts) and word.start == end})
        end = word.end
    return parts


def _last(row: dict[str, Any]) -> str:
    return row["says"].split(": probability")[0]
