"""Several texts as one row, in which what they begin with stands once.

a b c, a b d  ->  a b c d      d reads a, b and itself, at position 2
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Int
from torch import Tensor


@runtime_checkable
class Reading(Protocol):
    """New tokens of a row in which texts share what they begin with, as a network reads them."""

    @property
    def positions(self) -> Int[Tensor, "new"]:
        """The place of each in its text."""

    def allowed(self, window: int | None) -> Bool[Tensor, "1 1 new all"]:
        """What each reads where a layer has a window (None: it has none)."""


class TextTree(NamedTuple):
    """A row, each token's position in its text, which tokens it reads, and where each text's tokens are."""

    ids: Int[Tensor, "node"]
    positions: Int[Tensor, "node"]
    reads: Bool[Tensor, "node node"]
    paths: list[list[int]]

    def allowed(self, window: int | None) -> Bool[Tensor, "1 1 node node"]:
        """What each token reads where a layer has a window (None: it has none)."""
        near = self.positions[:, None] - self.positions < (window or len(self.ids))
        return (self.reads & near)[None, None]


def text_tree(texts: Sequence[Sequence[int]], device: torch.device | None = None) -> TextTree:
    """The tree of some texts, as ids.

    >>> tree = text_tree([[7, 8, 9], [7, 8, 5]])
    >>> tree.ids.tolist(), tree.positions.tolist(), tree.paths
    ([7, 8, 9, 5], [0, 1, 2, 2], [[0, 1, 2], [0, 1, 3]])
    """
    nodes: dict[tuple[int, int], int] = {}  # by the node before it (-1: none), and the id
    paths = []
    for text in texts:
        path = [-1]
        for id in text:
            path.append(nodes.setdefault((path[-1], id), len(nodes)))
        paths.append(path[1:])
    reads = torch.zeros(len(nodes), len(nodes), dtype=torch.bool)
    for path in paths:
        for position, node in enumerate(path):
            reads[node, path[: position + 1]] = True
    ids = torch.tensor([id for _, id in nodes], device=device)
    return TextTree(ids, (reads.sum(-1) - 1).to(device), reads.to(device), paths)
