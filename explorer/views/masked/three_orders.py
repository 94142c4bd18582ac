"""A frame whose blanks are filled in three orders, a few steps at a time."""

from dataclasses import dataclass
from typing import Any

from explorer import analysis
from explorer.locale import _, format_number, language, localised
from explorer.server import growing
from explorer.server.growing import Growing
from explorer.views import kit
from explorer.views.masked.blanks import MASK
from explorer.views.masked.settings import BLANKS, FRAME, SEED, START, STEPS, TEMPERATURE, TOP_K
from explorer.views.types import Model, SamplingOptions, Writing

TURN_SECONDS = 0.15  # for which it writes before other visitors have their turn
AT_ONCE = 12  # steps of each order that are there when the picture opens
CANDIDATES = 5
BLANK = "____"
RUN = kit.Session["ThreeOrders | None"]("masked/writing", None)


@dataclass(eq=False)
class Progress:
    """One order: its steps so far as `rows` for the component, and the blanks' texts at the start and now."""

    writing: "Writing"
    start: list[str]
    pieces: list[str]
    rows: list[dict[str, Any]]


class ThreeOrders(Growing[Any]):
    """One frame in three orders, with the steps so far; a step of the run is one of each order."""

    def __init__(
        self,
        request: Any,
        blocked: kit.blocklist.Blocklist,
        frame: list[dict[str, Any]],
        orders: list[Progress],
    ) -> None:
        rounds = iter(lambda: any([_step(self, progress) for progress in orders]), False)
        super().__init__(request, rounds, TURN_SECONDS)
        self.blocked, self.frame, self.orders = blocked, frame, orders
        self.longest = max(progress.writing.total for progress in orders)

    @property
    def count(self) -> int:
        """The number of steps so far, of all orders together."""
        return sum(len(progress.rows) for progress in self.orders)


def options(settings: kit.Settings) -> "SamplingOptions":
    """The settings as options of the analysis; half of the Gibbs steps are burn-in, as in the paper."""
    from explorer.analysis.prediction.gibbs import SamplingOptions

    return SamplingOptions(
        temperature=settings[TEMPERATURE],
        top_k=settings[TOP_K] or None,
        burn_in=settings[STEPS] // 2,
        steps=settings[STEPS],
        noise=settings[START] == "noise",
        seed=settings[SEED],
    )


def begin(settings: kit.Settings, model: "Model") -> ThreeOrders:
    """The three orders with the steps that the picture opens with: one a blank, at most AT_ONCE.

    Raises TextError for a frame that has no [MASK] or is too long.
    """
    from explorer.analysis.prediction import gibbs

    text = gibbs.with_blanks(settings[FRAME], settings[BLANKS])
    blocked = kit.blocklist.over(str(model.checkpoint), settings[FRAME])
    orders = []
    for order in gibbs.Order:
        writing = gibbs.write(model, text, order, options(settings))
        pieces = blank_texts(writing, blocked)
        orders.append(Progress(writing, pieces, pieces, []))
    run = ThreeOrders(request_of(settings, model), blocked, _frame(model, text), orders)
    for __ in range(min(len(orders[0].start), AT_ONCE)):
        run.extend(0.0)
    return run


def current(settings: kit.Settings, model: "Model") -> ThreeOrders:
    """This session's run; a new one if a setting has changed."""
    return growing.current(RUN, request_of(settings, model), lambda: begin(settings, model))


def blank_texts(writing: "Writing", blocked: kit.blocklist.Blocklist) -> list[str]:
    """The text in each blank as it is shown: `##` before a piece that continues a word, dots if blocked."""
    tokens = _tokens(writing)
    spaced = [token[2:] if kit.blocklist.joins(token) else f" {token}" for token in tokens]
    visible = kit.blocklist.written(blocked, spaced)
    pieces = []
    for position in writing.positions:
        if tokens[position] == MASK:
            pieces.append(BLANK)
        else:
            pieces.append(("##" if kit.blocklist.joins(tokens[position]) else "") + visible[position].strip())
    return pieces


def _tokens(writing: "Writing") -> list[str]:
    return [writing.model.tokenizer.readable(id) for id in writing.ids.tolist()]


def _step(run: ThreeOrders, progress: Progress) -> bool:
    """Take one step of an order and add its row; False if the order is at its end."""
    writing = progress.writing
    step = next(writing, None)
    if step is None:
        return False
    pieces = blank_texts(writing, run.blocked)
    changes = [[i, new] for i, (old, new) in enumerate(zip(progress.pieces, pieces)) if old != new]
    tokens, at = _tokens(writing), writing.positions[step.place]
    text = pieces[step.place]
    progress.pieces = pieces
    progress.rows.append(
        {
            "place": step.place,
            "changes": changes,
            "text": text,
            "says": _(
                "{word}: probability {probability}, rank {rank}",
                word=text,
                probability=kit.short(step.probability),
                rank=format_number(step.rank),
            ),
            "tip": _(
                "{word}, step {step}: probability {probability}, chance of being drawn {chance}, rank {rank}",
                word=text,
                step=len(progress.rows) + 1,
                probability=localised(f"{step.probability:.6g}"),
                chance=localised(f"{step.chance:.6g}"),
                rank=format_number(step.rank),
            ),
            "candidates": [
                {
                    "text": kit.blocklist.DOTS
                    if kit.blocklist.covers_piece(run.blocked, tokens, at, c.token)
                    else c.token,
                    "probability": round(c.probability, 5),
                    "number": kit.short(c.probability),
                    "drawn": c.id == step.id,
                }
                for c in step.candidates[:CANDIDATES]
            ],
        }
    )
    return True


def request_of(settings: kit.Settings, model: "Model") -> tuple[Any, ...]:
    """The model, the values of all settings on which the text depends, and the language of what is said."""
    names = (FRAME, BLANKS, TEMPERATURE, TOP_K, STEPS, START, SEED)
    return (str(model.checkpoint), language(), *(settings.value(name) for name in names))


def steps(run: ThreeOrders) -> str:
    """Every step of every order as a table to save, with blocked words as dots."""
    rows = [
        [
            str(order.writing.order),
            number,
            step.place + 1,
            row["text"],
            step.probability,
            step.rank,
            step.chance,
        ]
        for order in run.orders
        for number, (step, row) in enumerate(zip(order.writing.steps, order.rows), 1)
    ]
    return kit.table(["order", "step", "blank", "word", "probability", "rank", "chance"], rows)


def texts(run: ThreeOrders) -> str:
    """The three texts so far, one per line."""
    lines = []
    for progress in run.orders:
        line_text = ""
        for part in run.frame:
            text = part.get("text") or progress.pieces[part["place"]]
            glued = part.get("glued") or kit.blocklist.joins(text)
            line_text += (text[2:] if kit.blocklist.joins(text) else text) if glued else f" {text}"
        lines.append(f"{progress.writing.order}:{line_text}")
    return "\n".join(lines) + "\n"


def _frame(model: "Model", text: str) -> list[dict[str, Any]]:
    """The words of a text in order, and the number of each blank."""
    parts: list[dict[str, Any]] = []
    place, end = 0, -1
    for word in analysis.words.words(model.encode(text)):
        if word.text == MASK and not word.special:
            parts.append({"place": place})
            place += 1
        elif word.start < word.end:
            parts.append({"text": word.text, "glued": bool(parts) and word.start == end})
        end = word.end
    return parts
