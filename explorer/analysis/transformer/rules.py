"""Rules that say which numbers made a number: each gives the Origin of one place in a tensor.

An operation names a rule for each of its results. The names are those of the operation's own tensors.
"""

from collections.abc import Mapping
from dataclasses import replace

from explorer.analysis.transformer.causes import Cause, Cell, Origin, Place, Rule
from explorer.analysis.transformer.tensors import label
from explorer.locale import N_, _, format_number, translate

MOST = 5  # products of a long sum that are named one by one


def _largest(
    kind: str, sentence: str, causes: list[Cause], details: Mapping[str, float], most: int = MOST
) -> Origin:
    """An origin of many causes that names only the largest."""
    causes = sorted(causes, key=lambda cause: -abs(cause.share))
    rest = causes[most:]
    omitted_sum = sum(cause.share for cause in rest)
    return Origin(kind, sentence, tuple(causes[:most]), len(rest), omitted_sum, details)


def table_row(table: str, ids: str = "") -> Rule:
    """A row of a learnt table: the one of the position, or of its id in `ids`."""

    def rule(at: Place) -> Origin:
        row = int(at.get(ids)[at.row]) if ids else at.row
        sentence = _(
            "A learnt number: row {row} of the {table} table, column {column}.",
            row=format_number(row),
            table=label(f"{table}_rows").symbol,
            column=at.column + 1,
        )
        return Origin("learnt", sentence, details={"row": row})

    return rule


def sum_of(*names: str) -> Rule:
    """Numbers in the same place, added up."""
    return lambda at: Origin("sum", N_("These numbers, added up."), tuple(at.cause(name) for name in names))


def times(x: str, factor: str) -> Rule:
    """A number times one that is the same everywhere."""

    def rule(at: Place) -> Origin:
        number = float(at.get(factor))
        cause = at.cause(x, at.number(x) * number)
        return Origin("product", N_("This number times {factor}."), (cause,), details={"factor": number})

    return rule


def layer_norm_of(x: str) -> Rule:
    """A number minus the mean of its row, divided by the row's deviation; then gain and shift."""

    def rule(at: Place) -> Origin:
        vector, number = at.get(x)[at.row], at.number(x)
        details = {
            "number": number,
            "mean": float(vector.mean()),
            "deviation": float((vector.var(correction=0) + at.get("eps")).sqrt()),
            **at.learnt("gain", at.column, "gain"),
            **at.learnt("shift", at.column, "shift"),
        }
        share = (number - details["mean"]) / details["deviation"] * details.get("gain", 1.0)
        terms = [N_("= ({number} − mean {mean}) / deviation {deviation}")]
        terms += [N_("× gain {gain}")] * ("gain" in details) + [N_("+ shift {shift}")] * ("shift" in details)
        return Origin("norm", " ".join(map(translate, terms)), (at.cause(x, share),), details=details)

    return rule


def rms_norm_of(x: str, gain: str) -> Rule:
    """A number divided by the root of its row's mean square; then the gain."""

    def rule(at: Place) -> Origin:
        number, factor = at.number(x), float(at.get(gain)[at.column])
        root = float((at.get(x)[at.row].square().mean() + at.get("eps")).sqrt())
        sentence = N_("= {number} / root of the mean square {root} × gain {gain}")
        details = {"number": number, "root": root, "gain": factor}
        return Origin("rms", sentence, (at.cause(x, number / root * factor),), details=details)

    return rule


def wide_norm_of(x: str, gain: str, weight: str, bias: str, part: str) -> Rule:
    """A query's or a key's number divided by the root of the mean square of all heads'; then the gain."""

    def rule(at: Place) -> Origin:
        row = at.get("x")[at.row] @ at.get(weight)
        row = row + at.values[bias] if bias in at.values else row
        number, factor = at.number(x), float(at.get(gain)[at.get(part)][at.column])
        root = float((row.square().mean() + at.get("eps")).sqrt())
        sentence = N_("= {number} / root of the mean square {root}, of all heads, × gain {gain}")
        details = {"number": number, "root": root, "gain": factor}
        return Origin("rms", sentence, (at.cause(x, number / root * factor),), details=details)

    return rule


def angle(at: Place) -> Origin:
    """The angle of a rotation: position times frequency."""
    details = {"position": float(at.row), "frequency": float(at.get("frequencies")[at.column])}
    return Origin("angle", N_("Position {position} × frequency {frequency}."), details=details)


def cosine_or_sine(name: str, sentence: str) -> Rule:
    """The cosine or the sine of an angle; without a cause for a number that is not rotated."""

    def rule(at: Place) -> Origin:
        angles, share = at.get("angles")[at.row], at.number(name)
        cause = Cause(0.0, share)
        if at.column < 2 * len(angles):
            pair = at.column % len(angles)
            cause = Cause(float(angles[pair]), share, at.cell("angles", at.row, pair))
        return Origin(name, sentence, (cause,))

    return rule


def rotation_of(x: str) -> Rule:
    """One coordinate of a pair of numbers, as a point in the plane, after its rotation."""

    def rule(at: Place) -> Origin:
        row, frequencies = at.get(x)[at.row], at.get("frequencies")
        half = len(frequencies)
        if at.column >= 2 * half:
            return Origin("unrotated", N_("This number is not rotated."), (at.cause(x),))
        pair = at.column % half
        other = pair if at.column >= half else pair + half
        causes = tuple(
            Cause(
                float(row[i]),
                float(row[i]) * at.number(name),
                at.cell(x, at.row, i),
                at.number(name),
                at.cell(name, at.row, at.column),
            )
            for i, name in ((at.column, "cos"), (other, "sin"))
        )
        details = {
            "angle": float(at.get("angles")[at.row, pair]),
            "position": float(at.row),
            "frequency": float(frequencies[pair]),
        }
        sentence = N_("Rotated by {angle} rad: position {position} × frequency {frequency}.")
        if (stretch := at.get("stretch")) != 1.0:
            details["stretch"] = stretch
            sentence = N_(
                "Rotated by {angle} rad: position {position} × frequency {frequency}, and times {stretch}."
            )
        return Origin("rotation", sentence, causes, details=details)

    return rule


def linear(x: str, weight: str, bias: str, part: str = "") -> Rule:
    """A row of x times a column of a learnt matrix, plus a bias; `part` names a head's own columns."""

    def rule(at: Place) -> Origin:
        column = at.column + (at.get(part).start if part else 0)
        row, weights = at.get(x)[at.row].tolist(), at.get(weight)[:, column].tolist()
        causes = [
            Cause(number, number * factor, at.cell(x, at.row, i), factor)
            for i, (number, factor) in enumerate(zip(row, weights))
        ]
        details = at.learnt(bias, column, "bias")
        sentence = N_("A row times a learnt column, number by number.")
        if details:
            sentence = N_("A row times a learnt column, number by number, plus the bias {bias}.")
        return _largest("dot", sentence, causes, details)

    return rule


def scores_of(divided: bool, factor: str = "") -> Rule:
    """A query times a key, number by number; the sum divided, or multiplied by a `factor`."""

    def rule(at: Place) -> Origin:
        divisor = float(at.get("d_head")) ** 0.5 if divided else 1.0
        divisor = 1 / at.get(factor) if factor else divisor
        query, key = at.get("q")[at.row].tolist(), at.get("k")[at.column].tolist()
        causes = [
            Cause(q, q * k / divisor, at.cell("q", at.row, i), k, at.cell("k", at.column, i))
            for i, (q, k) in enumerate(zip(query, key))
        ]
        if divisor == 1.0:
            return _largest("scores", N_("Query times key, number by number."), causes, {})
        sentence = N_("Query times key, number by number; the sum divided by {divisor}.")
        return _largest("scores", sentence, causes, {"divisor": divisor})

    return rule


def weighted_values(at: Place) -> Origin:
    """Each token's weight times the same number of its value, added up."""
    weights, values = at.get("weights")[at.row].tolist(), at.get("v")[:, at.column].tolist()
    causes = [
        Cause(w, w * v, at.cell("weights", at.row, i), v, at.cell("v", i, at.column))
        for i, (w, v) in enumerate(zip(weights, values))
    ]
    sentence = N_("Each token’s weight times the same number of its value, added up.")
    return _largest("dot", sentence, causes, {})


def masked_score(at: Place) -> Origin:
    """A score before the mask."""
    hidden = at.number("masked") == float("-inf")
    sentence = N_("The score is masked: this must not be read.") if hidden else N_("The score, let through.")
    return Origin("mask", sentence, (at.cause("scores"),))


def capped_score(at: Place) -> Origin:
    """A score bent so that it stays within the cap."""
    cause = at.cause("scores", at.number("capped"))
    return Origin("cap", N_("{cap} · tanh(score / {cap})."), (cause,), details={"cap": at.get("cap")})


def biased_score(at: Place) -> Origin:
    """A score, less the slope times the distance."""
    details = {"slope": at.get("slope"), "distance": float(at.row - at.column)}
    lost = -details["slope"] * details["distance"]
    sentence = N_("The score, less {slope} × distance {distance}.")
    return Origin("distance", sentence, (at.cause("scores"), Cause(lost, lost)), details=details)


def learnt_for_distance(at: Place) -> Origin:
    """A score, and the number that was learnt for the distance."""
    learnt = at.number("by_distance")
    sentence = N_("The score, and the number that was learnt for this distance.")
    return Origin("sum", sentence, (at.cause("scores"), Cause(learnt, learnt)))


def softmax_of_row(at: Place) -> Origin:
    """All scores of a row: the number's own first, then the largest."""
    row = at.get("scores")[at.row].double()
    powers = (row - row.max()).exp()
    shares = (powers / powers.sum()).tolist()
    causes = [
        Cause(score, share, at.cell("scores", at.row, i))
        for i, (score, share) in enumerate(zip(row.tolist(), shares))
    ]
    own = causes.pop(at.column)
    sentence = N_("e to the power of its score, divided by the sum of the row, {total}.")
    others = _largest("softmax", sentence, causes, {"total": float(row.exp().sum())}, MOST - 1)
    return replace(others, causes=(own, *others.causes))


def number_of_a_head(out: str) -> Rule:
    """The same number as one of the heads gives it, in the order of the heads."""

    def rule(at: Place) -> Origin:
        head, column = divmod(at.column, at.get("d_head"))
        number = at.number("z")
        cause = Cause(number, number, Cell(out, at.row, column, head=head))
        return Origin("copy", _("The same number, as head {n} gives it.", n=head), (cause,))

    return rule


def activation_of(before: str) -> Rule:
    """The number before the activation."""
    return lambda at: Origin("activation", N_("The activation of this number."), (at.cause(before),))


def gate_times_value(at: Place) -> Origin:
    """A gate, times the unit that it lets through."""
    gate, unit = at.cause("gate"), at.cause("wide")
    cause = replace(gate, share=gate.number * unit.number, factor=unit.number, factor_cell=unit.cell)
    return Origin("product", N_("Gate times value."), (cause,))


def layer_below(at: Place) -> Origin:
    """The same number where it leaves the layer before."""
    number, below = at.number("x"), at.get("layer") - 1
    cause = Cause(number, number, Cell(at.computed[-1], at.row, at.column, layer=below))
    return Origin("below", _("Layer {n} gave it.", n=below), (cause,))


def last_of_encoder(at: Place) -> Origin:
    """The same number where it leaves the encoder's last layer."""
    number, last = at.number("m"), len(at.get("encoder_states")) - 2
    cause = Cause(number, number, Cell("x2", at.row, at.column, last, 0, encoder=True))
    return Origin("encoder", N_("The encoder’s last layer gave it."), (cause,))
