"""Which words each state of BERT, GPT and ELMo has read: lines between layers, as the papers draw them.

Devlin et al., "BERT" (NAACL 2019), figure 3, draws the three side by side. A state of BERT depends on all
states below it; one of GPT on those up to its own place. ELMo has two rows of states, in which each depends
on the one below and on the one before it in its reading direction; the rows meet only at the top.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from explorer.errors import ExplorerError, at_least_one

KINDS = ("BERT", "GPT", "ELMo")


class Node(NamedTuple):
    """A state: its row (0 for the words), its place, and its side ("" for a model with one row per layer).

    >>> Node(row=1, place=2, side="left") in drawing("ELMo", places=3).nodes
    True
    """

    row: int
    place: int
    side: str = ""


@dataclass(frozen=True)
class Drawing:
    """The states of a model over some words, and which state depends on which.

    >>> picture = drawing("GPT", places=3, layers=2)
    >>> picture.rows, (Node(0, 0), Node(1, 2)) in picture.lines, (Node(0, 2), Node(1, 0)) in picture.lines
    (3, True, False)
    """

    kind: str
    nodes: list[Node]
    lines: list[tuple[Node, Node]]

    @property
    def rows(self) -> int:
        """The number of the topmost row."""
        return max(node.row for node in self.nodes)


def drawing(kind: str, places: int, layers: int = 2) -> Drawing:
    """A drawing of words, layers, and a row of outputs. Raises ExplorerError for an unknown kind.

    >>> picture = drawing("BERT", places=3, layers=1)
    >>> picture.nodes[0], picture.nodes[-1]  # the first word, and the last output
    (Node(row=0, place=0, side=''), Node(row=2, place=2, side=''))
    """
    at_least_one(places=places, layers=layers)
    if kind not in KINDS:
        raise ExplorerError(f"There is no drawing of “{kind}”.", f"Choose from: {', '.join(KINDS)}.")
    words = [Node(0, p) for p in range(places)]
    top = [Node(layers + 1, p) for p in range(places)]
    sides = ("left", "right") if kind == "ELMo" else ("",)
    nodes, lines = [*words], []
    for side in sides:
        below = words
        for row in range(1, layers + 1):
            here = [Node(row, p, side) for p in range(places)]
            nodes += here
            lines += [
                (lower, upper) for upper in here for lower in below if _reads(kind, upper.place, lower.place)
            ]
            if kind == "ELMo":
                lines += pairwise(here if side == "left" else here[::-1])
            below = here
        lines += list(zip(below, top))
    return Drawing(kind, [*nodes, *top], lines)


def _reads(kind: str, here: int, there: int) -> bool:
    """Whether a state reads one of the row below directly."""
    if kind == "ELMo":
        return here == there
    return kind == "BERT" or there <= here


def leading_to(picture: Drawing, node: Node) -> list[tuple[Node, Node]]:
    """All lines on the paths that end at a state.

    >>> picture = drawing("GPT", places=3, layers=1)
    >>> [(lower.place, upper.place) for lower, upper in leading_to(picture, Node(1, 1))]
    [(0, 1), (1, 1)]
    """
    reached, frontier = set(), {node}
    while frontier:
        reached |= frontier
        frontier = {lower for lower, upper in picture.lines if upper in frontier} - reached
    return [(lower, upper) for lower, upper in picture.lines if upper in reached]


def read_by(picture: Drawing, node: Node) -> set[int]:
    """The places of the words that a state has read, directly or through others.

    >>> read_by(drawing("GPT", places=3), Node(2, 1)), read_by(drawing("ELMo", places=3), Node(2, 1, "right"))
    ({0, 1}, {1, 2})
    """
    ways = leading_to(picture, node)
    return {state.place for state, _ in ways if state.row == 0} | ({node.place} if node.row == 0 else set())
