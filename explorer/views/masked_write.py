"""Write: one frame filled by the same model in three orders, step by step."""

from dataclasses import dataclass
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.views import veil
from explorer.views.bars import short
from explorer.views.blanks import MASK
from explorer.views.components import component, text_box
from explorer.views.frame import picture, show_error
from explorer.views.saving import Export, offer, table
from explorer.views.settings import Settings

if TYPE_CHECKING:
    from explorer.analysis.mouth import Speech, Writing
    from explorer.models import LanguageModel

TURN_SECONDS = 0.15  # how long one turn writes; other visitors are served between two
TOP_K = (1, 2, 5, 10, 20, 50, 100, 0)  # 0: nothing is cut
STEPS = (50, 100, 200, 500)
MOST_BLANKS, HOTTEST = 40, 2.0
STARTS = {"masks": "masks", "noise": "noise"}
CANDIDATES = 5
BLANK = "____"
SAYS = {
    "Gibbs sampling": "any word, at random, is hidden and drawn anew",
    "left to right": "each blank once, in reading order",
    "most confident first": "each blank once, the surest one next",
}
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
    cover: veil.Veil
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


def ask(settings: Settings) -> None:
    """The frame: what stays as it is around the blanks."""
    text_box(settings, "frame", "A frame with [MASK] in it", "Every morning the [MASK].")


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The controls in one row, then the three ways."""
    _controls(settings)
    with picture():
        _stage(settings, model)
    run = st.session_state.get(RUN)
    if run is not None and run.asked == _asked(settings, model):
        offer(settings, Export("Steps", "masked-writing.csv", lambda: _table(run)))


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "One model, one frame. Gibbs sampling masks a word at random and draws it anew, over and over; the "
        "other two fill each blank once. The number under a word is the step at which it came.",
        "Gibbs sampling after Wang and Cho (2019), who called BERT a Markov random field; Cho withdrew that "
        "the same year: its guesses need not belong to any one distribution of whole sentences. That the "
        "order of insertion matters is the idea of the Insertion Transformer and InDIGO (2019), which are "
        "trained for it; here the length is given, and nothing was.",
    )


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same steps from Python."""
    from explorer.analysis import mouth

    return f"""import explorer
from explorer.analysis import mouth

model = explorer.load({str(model.checkpoint)!r})
text = {mouth.widened(settings["frame"], settings["blanks"])!r}
speech = mouth.{speech(settings)!r}
for way in mouth.Way:
    writing = mouth.write(model, text, way, speech)
    for step in writing:
        print(way, step.place, step.token, step.probability)
    print(model.tokenizer.decode(writing.ids.tolist()))"""


def speech(settings: Settings) -> "Speech":
    """The settings as the analysis knows them; half of Gibbs' steps are burn-in, as in the paper."""
    from explorer.analysis.mouth import Speech

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
    from explorer.analysis import mouth

    text = mouth.widened(settings["frame"], settings["blanks"])
    said = speech(settings)
    writings = [mouth.write(model, text, way, said) for way in mouth.Way]
    cover = veil.over(str(model.checkpoint), settings["frame"])
    lanes = []
    for writing in writings:
        pieces = shown(writing, cover)
        lanes.append(Lane(writing, pieces, pieces, []))
    return Run(_asked(settings, model), next(_numbers), cover, _frame(model, text), lanes)


def current(settings: Settings, model: "LanguageModel") -> Run:
    """This session's writing; a new one, not yet begun, where anything was changed."""
    run = st.session_state.get(RUN)
    if run is None or run.asked != _asked(settings, model):
        run = st.session_state[RUN] = begin(settings, model)
    return run


def extend(run: Run) -> None:
    """Write on, a step of each way in turn: as much as fits into one turn, and one step at least."""
    started = perf_counter()
    while perf_counter() - started < TURN_SECONDS:
        stepped = [_step(run, lane) for lane in run.lanes]
        if not any(stepped):
            return


def shown(writing: "Writing", cover: veil.Veil) -> list[str]:
    """The blanks of a text as they stand, as a class sees them: `##` before a piece that joins."""
    tokens = _tokens(writing)
    spaced = [token[2:] if veil.joins(token) else f" {token}" for token in tokens]
    seen = veil.written(cover, spaced)
    pieces = []
    for position in writing.positions:
        if tokens[position] == MASK:
            pieces.append(BLANK)
        else:
            pieces.append(("##" if veil.joins(tokens[position]) else "") + seen[position].strip())
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
                    "text": veil.DOTS if veil.covers_piece(run.cover, tokens, at, c.token) else c.token,
                    "probability": round(c.probability, 5),
                    "number": short(c.probability),
                    "taken": c.id == step.id,
                }
                for c in step.candidates[:CANDIDATES]
            ],
        }
    )
    return True


def _controls(settings: Settings) -> None:
    """Blanks, temperature, top-k, how Gibbs goes about it, seed in one row."""
    held = {
        "blanks": min(max(settings["blanks"], 1), MOST_BLANKS),
        "temperature": min(max(settings["temperature"], 0.0), HOTTEST),
        "top_k": min(TOP_K, key=lambda k: (abs(k - settings["top_k"]), k)) if settings["top_k"] > 0 else 0,
        "steps": min(STEPS, key=lambda steps: abs(steps - settings["steps"])),
        "start": settings["start"] if settings["start"] in STARTS else "masks",
        "seed": min(max(settings["seed"], 0), 10**9),
    }
    settings.set(**{name: value for name, value in held.items() if value != settings[name]})
    columns = st.columns([20, 20, 20, 24, 16], gap="medium", vertical_alignment="bottom")
    columns[0].slider(
        "Blanks", 1, MOST_BLANKS, key=settings.key("blanks"),
        help="The frame’s only [MASK] becomes as many blanks; several stay as they are.",
    )  # fmt: skip
    columns[1].slider(
        "Temperature", 0.0, HOTTEST, step=0.1, key=settings.key("temperature"),
        help="0 takes the most probable word at every step, and the seed decides only where Gibbs goes.",
    )  # fmt: skip
    columns[2].select_slider(
        "Top-k", TOP_K, format_func=lambda k: str(k) if k else "off", key=settings.key("top_k"),
        help="Only the k most probable words stay; Gibbs sampling cuts in its second half only.",
    )  # fmt: skip
    with columns[3].popover(f"Gibbs: {settings['steps']} steps, {settings['start']} first", width="stretch"):
        st.segmented_control("Steps", STEPS, key=settings.key("steps"), required=True)
        st.segmented_control("It begins with", list(STARTS), key=settings.key("start"), required=True)
        st.html(
            '<p class="rb-point">The first half of the steps (burn-in) draws from all words, the second from '
            "the top k. Wang and Cho 2019: 500 steps, 40 blanks, temperature 1, top-k 100.</p>"
        )
    columns[4].number_input("Seed", 0, 10**9, step=1, key=settings.key("seed"))


@st.fragment
def _stage(settings: Settings, model: "LanguageModel") -> None:
    try:
        run = current(settings, model)
    except ExplorerError as error:  # here, since what is raised in a turn does not reach the page
        show_error(error)
        return
    key = "masked/mouth"

    def more() -> None:
        if st.session_state[key].more == {"run": run.number, "made": run.made}:
            extend(run)

    component("mouth")(
        key=key,
        data={
            "run": run.number,
            "made": run.made,
            "steps": run.total,
            "ways": [
                {
                    "name": lane.writing.way[0].upper() + lane.writing.way[1:],
                    "says": SAYS[lane.writing.way],
                    "frame": run.frame,
                    "start": lane.start,
                    "steps": lane.rows,
                    "total": lane.writing.total,
                }
                for lane in run.lanes
            ],
        },
        on_more_change=more,
    )


def _asked(settings: Settings, model: "LanguageModel") -> tuple[Any, ...]:
    names = ("frame", "blanks", "temperature", "top_k", "steps", "start", "seed")
    return (str(model.checkpoint), *(settings[name] for name in names))


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


def _table(run: Run) -> str:
    """Every step of every way, as a class sees it."""
    rows = [
        [str(lane.writing.way), number, step.place + 1, _last(row), step.probability, step.rank, step.chance]
        for lane in run.lanes
        for number, (step, row) in enumerate(zip(lane.writing.steps, lane.rows), 1)
    ]
    return table(["way", "step", "blank", "word", "probability", "rank", "chance"], rows)


def _last(row: dict[str, Any]) -> str:
    return row["says"].split(": probability")[0]
