"""One text written in three orders, a little at a time: what was asked for, and the steps there are."""

from dataclasses import dataclass
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame import blocklist
from explorer.views.frame.saving import table
from explorer.views.frame.settings import Settings
from explorer.views.masked.blanks import MASK
from explorer.views.masked.settings import BLANKS, FRAME, SEED, START, STEPS, TEMPERATURE, TOP_K
from explorer.views.widgets.bars import short

if TYPE_CHECKING:
    from explorer.analysis.prediction.gibbs import SamplingOptions, Writing
    from explorer.models import Model

TURN_SECONDS = 0.15  # how long it writes at a time; other visitors are served in between
CANDIDATES = 5
BLANK = "____"
RUN = "masked/writing"
_numbers = count()


@dataclass(eq=False)
class Progress:
    """One order as it is drawn: its steps so far in `rows`, the blanks as they are shown now in `pieces`."""

    writing: "Writing"
    start: list[str]
    pieces: list[str]
    rows: list[dict[str, Any]]


@dataclass(eq=False)
class ThreeOrders:
    """One text in three orders: what was asked for, and the steps there are so far."""

    asked: tuple[Any, ...]
    number: int
    blocked: blocklist.Blocklist
    frame: list[dict[str, Any]]
    orders: list[Progress]

    @property
    def made(self) -> int:
        """Steps of all orders together."""
        return sum(len(one.rows) for one in self.orders)

    @property
    def total(self) -> int:
        """Steps of the longest order."""
        return max(one.writing.total for one in self.orders)


def options(settings: Settings) -> "SamplingOptions":
    """The settings as the analysis takes them; half of the Gibbs steps are burn-in, as in the paper."""
    from explorer.analysis.prediction.gibbs import SamplingOptions

    return SamplingOptions(
        temperature=settings[TEMPERATURE],
        top_k=settings[TOP_K] or None,
        burn_in=settings[STEPS] // 2,
        steps=settings[STEPS],
        noise=settings[START] == "noise",
        seed=settings[SEED],
    )


def begin(settings: Settings, model: "Model") -> ThreeOrders:
    """The three orders before their first step. Raises TextError for a frame without [MASK], or too long."""
    from explorer.analysis.prediction import gibbs

    text = gibbs.with_blanks(settings[FRAME], settings[BLANKS])
    blocked = blocklist.over(str(model.checkpoint), settings[FRAME])
    orders = []
    for order in gibbs.Order:
        writing = gibbs.write(model, text, order, options(settings))
        pieces = shown(writing, blocked)
        orders.append(Progress(writing, pieces, pieces, []))
    return ThreeOrders(asked(settings, model), next(_numbers), blocked, _frame(model, text), orders)


def current(settings: Settings, model: "Model") -> ThreeOrders:
    """What this session has written; where a setting has changed, a new one before its first step."""
    run = st.session_state.get(RUN)
    if run is None or run.asked != asked(settings, model):
        run = st.session_state[RUN] = begin(settings, model)
    return run


def extend(run: ThreeOrders) -> None:
    """Write on, a step of each order in turn: for TURN_SECONDS, and one step at least."""
    started = perf_counter()
    while perf_counter() - started < TURN_SECONDS:
        stepped = [_step(run, one) for one in run.orders]
        if not any(stepped):
            return


def shown(writing: "Writing", blocked: blocklist.Blocklist) -> list[str]:
    """The blanks of a text as they are shown now: `##` before a piece that continues a word."""
    tokens = _tokens(writing)
    spaced = [token[2:] if blocklist.joins(token) else f" {token}" for token in tokens]
    visible = blocklist.written(blocked, spaced)
    pieces = []
    for position in writing.positions:
        if tokens[position] == MASK:
            pieces.append(BLANK)
        else:
            pieces.append(("##" if blocklist.joins(tokens[position]) else "") + visible[position].strip())
    return pieces


def _tokens(writing: "Writing") -> list[str]:
    return [writing.model.tokenizer.readable(id) for id in writing.ids.tolist()]


def _step(run: ThreeOrders, one: Progress) -> bool:
    """One step of one order, as a row for the page; False where it is at its end."""
    writing = one.writing
    step = next(writing, None)
    if step is None:
        return False
    pieces = shown(writing, run.blocked)
    changed = [[i, new] for i, (old, new) in enumerate(zip(one.pieces, pieces)) if old != new]
    tokens, at = _tokens(writing), writing.positions[step.place]
    text = pieces[step.place]
    one.pieces = pieces
    one.rows.append(
        {
            "place": step.place,
            "shown": changed,
            "says": f"{text}: probability {short(step.probability)}, rank {step.rank:,}",
            "told": f"{text}, step {len(one.rows) + 1}: probability {step.probability:.6g}, "
            f"chance of being drawn {step.chance:.6g}, rank {step.rank:,}",
            "candidates": [
                {
                    "text": blocklist.DOTS
                    if blocklist.covers_piece(run.blocked, tokens, at, c.token)
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


def asked(settings: Settings, model: "Model") -> tuple[Any, ...]:
    """All that the text depends on."""
    named = (FRAME, BLANKS, TEMPERATURE, TOP_K, STEPS, START, SEED)
    return (str(model.checkpoint), *(settings.value(name) for name in named))


def steps(run: ThreeOrders) -> str:
    """Every step of every order as a table to save, as it is shown."""
    rows = [
        [str(one.writing.order), number, step.place + 1, _word(row), step.probability, step.rank, step.chance]
        for one in run.orders
        for number, (step, row) in enumerate(zip(one.writing.steps, one.rows), 1)
    ]
    return table(["order", "step", "blank", "word", "probability", "rank", "chance"], rows)


def texts(run: ThreeOrders) -> str:
    """The texts as they are now, one per line."""
    lines = []
    for one in run.orders:
        said = ""
        for part in run.frame:
            text = part.get("text") or one.pieces[part["place"]]
            glued = part.get("glued") or blocklist.joins(text)
            said += (text[2:] if blocklist.joins(text) else text) if glued else f" {text}"
        lines.append(f"{one.writing.order}:{said}")
    return "\n".join(lines) + "\n"


def _frame(model: "Model", text: str) -> list[dict[str, Any]]:
    """The words of a text in order: those that stay, and the blanks by number."""
    from explorer.analysis.words import words

    parts: list[dict[str, Any]] = []
    place, end = 0, -1
    for word in words(model.encode(text)):
        if word.text == MASK and not word.special:
            parts.append({"place": place})
            place += 1
        elif word.start < word.end:
            parts.append({"text": word.text, "glued": bool(parts) and word.start == end})
        end = word.end
    return parts


def _word(row: dict[str, Any]) -> str:
    return str(row["says"]).split(": probability")[0]
