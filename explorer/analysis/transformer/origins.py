"""Which numbers made a number of a walk: one step back, and from there on to the rows that all began with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor

from explorer.analysis.transformer.layer_walk import Walk
from explorer.analysis.transformer.operations import (
    add,
    add_and_normalise,
    add_three_rows,
    add_two_rows,
    all_heads,
    all_heads_across,
    compare,
    compare_undivided,
    down_projection,
    enter,
    gated_up_projection,
    hide_distant,
    hide_later,
    hide_outside_window,
    hide_padding,
    look_up_rows,
    normalise,
    normalise_head,
    output_projection,
    project,
    project_across,
    project_rows,
    rms_normalise,
    rotate,
    softmax,
    up_projection,
    weighted_sum,
)
from explorer.analysis.transformer.program import Step
from explorer.errors import ExplorerError

MOST = 5  # products of a long sum that are named one by one


@dataclass(frozen=True)
class Cell:
    """One number of a walk.

    `layer` and `head` are those of another walk, where it leads out of this one; `encoder` says that
    it leads from the decoder to the encoder, which wrote it.

    >>> import explorer
    >>> from explorer.analysis.transformer import walk
    >>> found = origin(walk(explorer.load("gpt"), "The river bank"), "masked", 2, 0)
    >>> found.parts[0].cell == Cell("scores", 2, 0)
    True
    """

    name: str
    row: int
    column: int
    layer: int | None = None
    head: int | None = None
    encoder: bool = False


@dataclass(frozen=True)
class Part:
    """One of the numbers that made another: `number`, times `factor` where there is one, is `share`.

    >>> import explorer
    >>> from explorer.analysis.transformer import walk
    >>> part = origin(walk(explorer.load("gpt"), "The river bank"), "out", 2, 0).parts[0]
    >>> part.cell.name, part.factor_cell.name, abs(part.number * part.factor - part.share) < 1e-5
    ('weights', 'v', True)
    """

    number: float
    share: float
    cell: Cell | None = None
    factor: float | None = None
    factor_cell: Cell | None = None
    of: str = ""  # what the number is, where it is no cell of the walk


@dataclass(frozen=True)
class Origin:
    """How a number was made.

    `kind` is one of sum, dot, scores, softmax, norm, rms, rotation, unturned, angle, cos, sin, activation,
    product, mask, copy, learnt, below, encoder.
    `parts` are what it was made of, the largest first where there are many; the `others` left out add up
    to `rest`.
    `told` has what else the arithmetic needs: bias, divisor, mean, deviation, root (of the mean square),
    gain, shift, total, angle, position, frequency.

    >>> import explorer
    >>> from explorer.analysis.transformer import walk
    >>> found = origin(walk(explorer.load("gpt"), "The river bank"), "weights", 2, 0)
    >>> found.kind, len(found.parts), abs(found.parts[0].share - found.value) < 1e-5
    ('softmax', 3, True)
    """

    cell: Cell
    value: float
    kind: str
    parts: tuple[Part, ...] = ()
    others: int = 0
    rest: float = 0.0
    told: Mapping[str, float] | None = None


def origin(walk: Walk, name: str, row: int, column: int) -> Origin:
    """Which numbers made one number of a walk, one step back.

    Raises ExplorerError for a number that the walk does not have, or that is learnt.

    >>> import explorer
    >>> from explorer.analysis.transformer import walk
    >>> found = origin(walk(explorer.load("gpt"), "The river bank"), "scores", 2, 0)
    >>> found.kind, abs(sum(part.share for part in found.parts) + found.rest - found.value) < 1e-4
    ('scores', True)
    """
    cell = Cell(name, row, column)
    found = walk.values.get(name)
    made = [step for step in walk.steps if name in step.gives]
    if not made or not isinstance(found, Tensor) or not _inside(found, row, column):
        raise ExplorerError(
            f"There is no number {column} of {name}, row {row}, here.", "Click a number of the picture."
        )
    step = made[0]
    own = next(own for own in _names(step) if step.renamed(own) == name)
    recipe = RECIPES[step.operation][own]
    value = float(found[row, column])
    return replace(recipe(_Place(walk, step, row, column)), cell=cell, value=value)


@dataclass(frozen=True)
class _Place:
    """A number that is asked about, and the step that made it, under the operation's own names."""

    walk: Walk
    step: Step
    row: int
    column: int

    def get(self, own: str) -> Any:
        return self.walk.values[self.step.renamed(own)]

    def learnt(self, own: str, column: int, name: str = "") -> dict[str, float]:
        """A number of a learnt vector, under a name; nothing where the layer has no such vector."""
        vector = self.walk.values.get(self.step.renamed(own))
        return {} if vector is None else {name or own: float(vector[column])}

    def cell(self, own: str, row: int, column: int) -> Cell | None:
        """A number that another step made; None for one that was learnt or given."""
        name = self.step.renamed(own)
        made = any(name in step.gives for step in self.walk.steps)
        return Cell(name, row, column) if made else None


Recipe = Callable[[_Place], Origin]


def _inside(tensor: Tensor, row: int, column: int) -> bool:
    rows, columns = tensor.shape
    return 0 <= row < rows and 0 <= column < columns


def _names(step: Step) -> list[str]:
    return list(RECIPES[step.operation])


def _made(kind: str, parts: list[Part], **told: float) -> Origin:
    """An origin of few parts; the cell and the value are filled in by `origin`."""
    return Origin(Cell("", 0, 0), 0.0, kind, tuple(parts), told=told)


def _longest(kind: str, parts: list[Part], told: Mapping[str, float], most: int = MOST) -> Origin:
    """An origin of many parts, the largest of which are named."""
    parts = sorted(parts, key=lambda part: -abs(part.share))
    left = parts[most:]
    made = _made(kind, parts[:most], **told)
    return replace(made, others=len(left), rest=sum(part.share for part in left))


def _looked_up(ids: str, of: str) -> Recipe:
    """A row of a learnt table."""

    def recipe(at: _Place) -> Origin:
        rows = at.get(ids) if ids else None
        number = at.row if rows is None else int(rows[at.row])
        return _made("learnt", [Part(float(number), 0.0, of=of)])

    return recipe


def _sum(*names: str) -> Recipe:
    def recipe(at: _Place) -> Origin:
        numbers = [(name, float(at.get(name)[at.row, at.column])) for name in names]
        return _made("sum", [Part(n, n, at.cell(name, at.row, at.column)) for name, n in numbers])

    return recipe


def _norm(x: str = "x") -> Recipe:
    def recipe(at: _Place) -> Origin:
        vector = at.get(x)[at.row]
        number, mean = float(vector[at.column]), float(vector.mean())
        deviation = float((vector.var(correction=0) + at.get("eps")).sqrt())
        gain = float(at.get("gain")[at.column])
        part = Part(number, (number - mean) / deviation * gain, at.cell(x, at.row, at.column))
        shift = at.learnt("shift", at.column)
        return _made("norm", [part], mean=mean, deviation=deviation, gain=gain, **shift)

    return recipe


def _rms(x: str, gain: str) -> Recipe:
    def recipe(at: _Place) -> Origin:
        vector = at.get(x)[at.row]
        number, factor = float(vector[at.column]), float(at.get(gain)[at.column])
        root = float((vector.square().mean() + at.get("eps")).sqrt())
        part = Part(number, number / root * factor, at.cell(x, at.row, at.column))
        return _made("rms", [part], root=root, gain=factor)

    return recipe


def _angle(at: _Place) -> Origin:
    return _made("angle", [], position=float(at.row), frequency=float(at.get("frequencies")[at.column]))


def _of_angle(function: str) -> Recipe:
    """The cosine or the sine of an angle; of no angle, where a number is not turned."""

    def recipe(at: _Place) -> Origin:
        angles, share = at.get("angles")[at.row], float(at.get(function)[at.row, at.column])
        if at.column >= 2 * len(angles):
            return _made(function, [Part(0.0, share)])
        pair = at.column % len(angles)
        return _made(function, [Part(float(angles[pair]), share, at.cell("angles", at.row, pair))])

    return recipe


def _turned(x: str) -> Recipe:
    """Of a pair of numbers as a point in the plane, one coordinate after the turn."""

    def recipe(at: _Place) -> Origin:
        row, frequencies = at.get(x)[at.row], at.get("frequencies")
        half = len(frequencies)
        if at.column >= 2 * half:
            number = float(row[at.column])
            return _made("unturned", [Part(number, number, at.cell(x, at.row, at.column))])
        pair = at.column % half
        other = pair if at.column >= half else pair + half
        factors = [(name, float(at.get(name)[at.row, at.column])) for name in ("cos", "sin")]
        parts = [
            Part(
                float(row[i]),
                float(row[i]) * factor,
                at.cell(x, at.row, i),
                factor,
                at.cell(name, at.row, at.column),
            )
            for i, (name, factor) in zip((at.column, other), factors)
        ]
        turn = {"frequency": float(frequencies[pair]), "angle": float(at.get("angles")[at.row, pair])}
        return _made("rotation", parts, position=float(at.row), **turn)

    return recipe


def _linear(x: str, weight: str, bias: str, part: str = "") -> Recipe:
    """A row of x times a column of a learnt matrix, plus a bias; `part` names a head's own columns."""

    def recipe(at: _Place) -> Origin:
        column = at.column + (at.get(part).start if part else 0)
        row, weights = at.get(x)[at.row].tolist(), at.get(weight)[:, column].tolist()
        parts = [
            Part(number, number * factor, at.cell(x, at.row, i), factor)
            for i, (number, factor) in enumerate(zip(row, weights))
        ]
        return _longest("dot", parts, at.learnt(bias, column, "bias"))

    return recipe


def _scores(divided: bool = True) -> Recipe:
    def recipe(at: _Place) -> Origin:
        divisor = float(at.get("d_head")) ** 0.5 if divided else 1.0
        query, key = at.get("q")[at.row].tolist(), at.get("k")[at.column].tolist()
        parts = [
            Part(q, q * k / divisor, at.cell("q", at.row, i), k, at.cell("k", at.column, i))
            for i, (q, k) in enumerate(zip(query, key))
        ]
        return _longest("scores", parts, {"divisor": divisor} if divided else {})

    return recipe


def _weighted(at: _Place) -> Origin:
    weights, values = at.get("weights")[at.row].tolist(), at.get("v")[:, at.column].tolist()
    parts = [
        Part(w, w * v, at.cell("weights", at.row, i), v, at.cell("v", i, at.column))
        for i, (w, v) in enumerate(zip(weights, values))
    ]
    return _longest("dot", parts, {})


def _masked(at: _Place) -> Origin:
    score = float(at.get("scores")[at.row, at.column])
    return _made("mask", [Part(score, score, at.cell("scores", at.row, at.column))])


def _softmax(at: _Place) -> Origin:
    row = at.get("scores")[at.row].double()
    raised = (row - row.max()).exp()
    total = float(raised.sum())
    parts = [
        Part(float(score), float(part) / total, at.cell("scores", at.row, i))
        for i, (score, part) in enumerate(zip(row, raised))
    ]
    asked = parts.pop(at.column)
    found = _longest("softmax", parts, {"total": float(row.exp().sum())}, MOST - 1)
    return replace(found, parts=(asked, *found.parts))


def _joined(out: str) -> Recipe:
    """One of the heads' own numbers, in the order of the heads."""

    def recipe(at: _Place) -> Origin:
        head, column = divmod(at.column, at.get("d_head"))
        number = float(at.get("z")[at.row, at.column])
        return _made("copy", [Part(number, number, Cell(out, at.row, column, head=head))], head=float(head))

    return recipe


def _activated(before: str) -> Recipe:
    def recipe(at: _Place) -> Origin:
        number = float(at.get(before)[at.row, at.column])
        return _made("activation", [Part(number, number, at.cell(before, at.row, at.column))])

    return recipe


def _gated(at: _Place) -> Origin:
    gate, value = (float(at.get(name)[at.row, at.column]) for name in ("gate", "wide"))
    cells = [at.cell(name, at.row, at.column) for name in ("gate", "wide")]
    return _made("product", [Part(gate, gate * value, cells[0], value, cells[1])])


def _below(at: _Place) -> Origin:
    number = float(at.walk.value("x")[at.row, at.column])
    (left,) = at.walk.steps[-1].gives[-1:]
    below = at.walk.layer - 1
    return _made("below", [Part(number, number, Cell(left, at.row, at.column, layer=below))])


def _encoded(at: _Place) -> Origin:
    """A number that the encoder's last layer gave."""
    number = float(at.get("m")[at.row, at.column])
    last = len(at.get("encoder_states")) - 2
    return _made("encoder", [Part(number, number, Cell("x2", at.row, at.column, last, 0, encoder=True))])


RECIPES: Mapping[Callable[..., Any], Mapping[str, Recipe]] = {
    look_up_rows: {"summed": _looked_up("ids", "token")},
    add_two_rows: {
        "token_rows": _looked_up("ids", "token"),
        "position_rows": _looked_up("", "position"),
        "summed": _sum("token_rows", "position_rows"),
    },
    add_three_rows: {
        "token_rows": _looked_up("ids", "token"),
        "position_rows": _looked_up("", "position"),
        "segment_rows": _looked_up("segment_ids", "segment"),
        "summed": _sum("token_rows", "position_rows", "segment_rows"),
    },
    normalise: {"normed": _norm()},
    rms_normalise: {"normed": _rms("x", "gain")},
    project_rows: {"projected": _linear("rows", "W_0", "b_0")},
    enter: {"x": _below},
    project: {
        "q": _linear("x", "W_Q", "b_Q", "part"),
        "k": _linear("x", "W_K", "b_K", "kv_part"),
        "v": _linear("x", "W_V", "b_V", "kv_part"),
    },
    project_across: {
        "m": _encoded,
        "q": _linear("x", "W_Q", "b_Q", "part"),
        "k": _linear("m", "W_K", "b_K", "part"),
        "v": _linear("m", "W_V", "b_V", "part"),
    },
    normalise_head: {"q_normed": _rms("q", "gain_Q"), "k_normed": _rms("k", "gain_K")},
    rotate: {
        "angles": _angle,
        "cos": _of_angle("cos"),
        "sin": _of_angle("sin"),
        "q_rot": _turned("q"),
        "k_rot": _turned("k"),
    },
    compare: {"scores": _scores()},
    compare_undivided: {"scores": _scores(divided=False)},
    hide_later: {"masked": _masked},
    hide_padding: {"masked": _masked},
    hide_outside_window: {"masked": _masked},
    hide_distant: {"masked": _masked},
    softmax: {"weights": _softmax},
    weighted_sum: {"out": _weighted},
    all_heads: {"z": _joined("out")},
    all_heads_across: {"z": _joined("cross_out")},
    output_projection: {"attended": _linear("z", "W_O", "b_O")},
    add: {"added": _sum("x", "update")},
    add_and_normalise: {"added": _sum("x", "update"), "normed": _norm("added")},
    up_projection: {"wide": _linear("x", "W_1", "b_1"), "hidden": _activated("wide")},
    gated_up_projection: {
        "gate_input": _linear("x", "W_G", "b_G"),
        "gate": _activated("gate_input"),
        "wide": _linear("x", "W_1", "b_1"),
        "hidden": _gated,
    },
    down_projection: {"fed": _linear("hidden", "W_2", "b_2")},
}
