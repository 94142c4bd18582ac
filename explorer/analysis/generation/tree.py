"""A tree of continuations: one prompt with all its branches, as frozen data.

    first:  a b c d e        tree = Tree()                         the first branch, still empty
                \\            tree, here = step(tree, 0, 0, a)      ... b, c, d, e
    x:            x y        tree, new = step(tree, 0, 2, x)       another third token: a fork

A branch shares its first tokens with its parent and owns the rest. No two branches are the same: a token that
was taken before leads to the existing branch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from explorer.errors import ExplorerError
from explorer.short_text import WithShortText

if TYPE_CHECKING:
    from explorer.analysis.generation.steps import Generation


@dataclass(frozen=True)
class Branch:
    """A branch: its own tokens, after the first `at` that it shares with `parent`.

    `number` identifies it; the first branch is 0 and has no parent. If `name` is empty, its first own token
    is its name.
    """

    number: int
    ids: tuple[int, ...] = ()
    parent: int | None = None
    at: int = 0
    name: str = ""


@dataclass(frozen=True)
class Tree:
    """The branches in the order in which they were created."""

    branches: tuple[Branch, ...] = (Branch(0),)

    def __getitem__(self, number: int) -> Branch:
        return next(branch for branch in self.branches if branch.number == number)

    def __contains__(self, number: int) -> bool:
        return any(branch.number == number for branch in self.branches)

    def __len__(self) -> int:
        return len(self.branches)

    def path(self, number: int) -> tuple[int, ...]:
        """All tokens of a branch after the prompt."""
        branch = self[number]
        return branch.ids if branch.parent is None else self.path(branch.parent)[: branch.at] + branch.ids

    def children(self, number: int) -> list[Branch]:
        """The branches that forked off this one, the latest fork first."""
        return sorted((b for b in self.branches if b.parent == number), key=lambda b: -b.at)


def step(tree: Tree, number: int, at: int, id: int) -> tuple[Tree, int]:
    """Take a token after the first `at` of a branch: the new tree, and the number of the token's branch.

    At its end the branch grows; before its end, the token leads to an existing branch or begins a new one.

    >>> step(Tree((Branch(0, (5, 6)),)), 0, 1, 9)
    (Tree(branches=(Branch(number=0, ids=(5, 6), parent=None, at=0, name=''),
                    Branch(number=1, ids=(9,), parent=0, at=1, name=''))), 1)
    """
    path = tree.path(number)
    if path[at : at + 1] == (id,):
        return tree, number
    for branch in tree.branches:
        other = tree.path(branch.number)
        if other[: at + 1] == (*path[:at], id):
            return tree, branch.number
    if at == len(path):
        longer = replace(tree[number], ids=(*tree[number].ids, id))
        return Tree(tuple(longer if b.number == number else b for b in tree.branches)), number
    new = Branch(max(b.number for b in tree.branches) + 1, (id,), _owner(tree, number, at), at)
    return Tree((*tree.branches, new)), new.number


def prune(tree: Tree, number: int) -> Tree:
    """The tree without a branch and all its descendants. The first branch is never removed.

    >>> len(prune(Tree((Branch(0, (5, 6)), Branch(1, (9,), 0, 1))), 1))
    1
    """
    if number == 0:
        return tree
    removed = {number}
    for branch in tree.branches:  # a branch comes after its parent
        if branch.parent in removed:
            removed.add(branch.number)
    return Tree(tuple(b for b in tree.branches if b.number not in removed))


def rename(tree: Tree, number: int, name: str) -> Tree:
    """The tree with a branch under another name.

    >>> rename(Tree(), 0, "The first")[0].name
    'The first'
    """
    return Tree(tuple(replace(b, name=name) if b.number == number else b for b in tree.branches))


def shared_length(tree: Tree, first: int, second: int) -> int:
    """The number of tokens after the prompt that two branches share.

    >>> shared_length(Tree((Branch(0, (5, 6)), Branch(1, (9,), 0, 1))), 0, 1)
    1
    """
    paths = tree.path(first), tree.path(second)
    return next((i for i, (a, b) in enumerate(zip(*paths)) if a != b), min(map(len, paths)))


def drawing_order(tree: Tree, number: int = 0) -> Iterator[Branch]:
    """The branches from top to bottom, so that no connecting lines cross.

    A branch is followed by its children, the latest fork first: the line of an earlier fork then runs to the
    left of all branches in between.

    >>> tree = Tree((Branch(0, (5, 6, 7)), Branch(1, (8,), 0, 1), Branch(2, (9,), 0, 2)))
    >>> [branch.number for branch in drawing_order(tree)]
    [0, 2, 1]
    """
    yield tree[number]
    for child in tree.children(number):
        yield from drawing_order(tree, child.number)


def to_rows(tree: Tree) -> list[list[Any]]:
    """The tree as plain lists, for a link or a file; `from_rows` is the inverse.

    >>> to_rows(Tree((Branch(0, (5, 6)), Branch(1, (9,), 0, 1))))
    [[0, None, 0, '', 5, 6], [1, 0, 1, '', 9]]
    """
    return [[b.number, b.parent, b.at, b.name, *b.ids] for b in tree.branches]


def from_rows(rows: Any, tokens: int) -> Tree:
    """The tree that plain lists describe, with ids below `tokens`.

    Raises ValueError if they do not describe a tree: a link may contain anything.

    >>> tree = Tree((Branch(0, (5, 6)), Branch(1, (9,), 0, 1)))
    >>> from_rows(to_rows(tree), tokens=10) == tree
    True
    """
    branches: list[Branch] = []
    for row in rows if isinstance(rows, list) else []:
        if not isinstance(row, list) or len(row) < 4:
            raise ValueError("not a branch")
        number, parent, at, name, *ids = row
        whole = [number, at, *ids, *([] if parent is None else [parent])]
        if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in whole):
            raise ValueError("not a number")
        if not isinstance(name, str) or any(id >= tokens for id in ids):
            raise ValueError("not a token")
        so_far = Tree(tuple(branches)) if branches else None
        first = so_far is None
        if first != (parent is None) or first != (number == 0) or (first and at):
            raise ValueError("not the first branch")
        if so_far and (
            number in so_far or parent not in so_far or not ids or not _is_new_fork(so_far, parent, at, ids)
        ):
            raise ValueError("no fork")
        branches.append(Branch(number, tuple(ids), parent, at, name[:40]))
    if not branches:
        raise ValueError("no tree")
    return Tree(tuple(branches))


def _owner(tree: Tree, number: int, at: int) -> int:
    """The branch that owns the token at `at` and another before it, which is the parent of a fork there."""
    branch = tree[number]
    while branch.parent is not None and at <= branch.at:
        branch = tree[branch.parent]
    return branch.number


def _is_new_fork(tree: Tree, parent: int, at: int, ids: list[int]) -> bool:
    """Whether a branch of these ids forks off there, and no other branch is the same."""
    path = tree.path(parent)
    owned = at > tree[parent].at or tree[parent].parent is None
    new = all(tree.path(b.number)[: at + 1] != (*path[:at], ids[0]) for b in tree.branches)
    return owned and at < len(path) and new


@dataclass(frozen=True, eq=False, repr=False)
class ContinuationTree(WithShortText):
    """The tree of a prompt's continuations; `generations` has the text of each branch by its number."""

    tree: Tree
    generations: "dict[int, Generation]"


def continuation_tree(generations: "Sequence[Generation]") -> ContinuationTree:
    """The tree of continuations of one prompt by one model, as far as they are written.

    The first one is the first branch. Raises ExplorerError for none, and for several prompts or models.

    >>> from explorer.analysis.generation import Sampling, generate
    >>> story = generate(explorer.load("gpt"), "the old river", Sampling(max_new_tokens=3, seed=3))
    >>> other = story.branch(1, 13) if story.take([11, 12]) else story
    >>> continuation_tree([story, other]).tree.path(1)
    (11, 13)
    """
    if len({(str(generation.model.checkpoint), generation.prompt) for generation in generations}) != 1:
        raise ExplorerError("A tree has continuations of one prompt by one model.", "Give it at least one.")
    tree, longest = Tree(), dict[int, "Generation"]()
    for generation in generations:
        number = 0
        for at, id in enumerate(generation.ids):
            tree, number = step(tree, number, at, id)
        if number not in longest or len(generation.ids) > len(longest[number].ids):
            longest[number] = generation
    return ContinuationTree(tree, longest)
