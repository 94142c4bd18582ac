"""What made a number of a walk: the cells, causes and origins that the rules of `rules` give."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Cell:
    """One number of a walk.

    `layer` and `head` are set where the number belongs to another layer or head than the walk's own;
    `encoder` says that it belongs to the encoder while the walk is the decoder's.
    """

    name: str
    row: int
    column: int
    layer: int | None = None
    head: int | None = None
    encoder: bool = False


@dataclass(frozen=True)
class Cause:
    """One of the numbers that made another: `number`, times `factor` where there is one, is `share`."""

    number: float
    share: float
    cell: Cell | None = None
    factor: float | None = None
    factor_cell: Cell | None = None


@dataclass(frozen=True)
class Origin:
    """How a number was made.

    `kind` is one of sum, dot, scores, cap, distance, softmax, norm, rms, rotation, unrotated, angle, cos,
    sin, activation, product, mask, copy, learnt, below, encoder.
    `sentence` says it in words, with the names of `details` in braces.
    `causes` are the numbers that it was made of, the largest first where there are many; the `omitted`
    ones add up to `omitted_sum`.
    `details` has what else the arithmetic needs: bias, divisor, mean, deviation, root (of the mean square),
    gain, shift, total, angle, position, frequency, factor, cap, slope, distance, row (of a table), head.
    """

    kind: str
    sentence: str
    causes: tuple[Cause, ...] = ()
    omitted: int = 0
    omitted_sum: float = 0.0
    details: Mapping[str, float] = field(default_factory=dict)
    cell: Cell = Cell("", 0, 0)
    value: float = 0.0


@dataclass(frozen=True)
class Place:
    """A place in a tensor of a walk, seen by the operation that computed it.

    `renames` maps the operation's own names to those of `values`; `computed` are the names of all tensors
    that the walk's steps give, in their order.
    """

    values: Mapping[str, Any]
    renames: Mapping[str, str]
    computed: tuple[str, ...]
    row: int
    column: int

    def get(self, name: str) -> Any:
        """A tensor or a size, by the operation's own name."""
        return self.values[self.renames.get(name, name)]

    def number(self, name: str) -> float:
        """The number of another tensor in the same place."""
        return float(self.get(name)[self.row, self.column])

    def learnt(self, name: str, column: int, key: str) -> dict[str, float]:
        """A number of a learnt vector under a key; empty where the layer has no such vector."""
        vector = self.values.get(self.renames.get(name, name))
        return {} if vector is None else {key: float(vector[column])}

    def cell(self, name: str, row: int, column: int) -> Cell | None:
        """A number that another step computed; None for one that was learnt or given."""
        name = self.renames.get(name, name)
        return Cell(name, row, column) if name in self.computed else None

    def cause(self, name: str, share: float | None = None) -> Cause:
        """The number of another tensor in the same place as a cause; its share is the number by default."""
        number = self.number(name)
        return Cause(number, number if share is None else share, self.cell(name, self.row, self.column))


Rule = Callable[[Place], Origin]
