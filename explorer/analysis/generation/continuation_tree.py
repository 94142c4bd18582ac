"""Several continuations of a prompt as a tree, with the text of each branch.

story = generate(model, "The old man went", sampling)              written to its end, or a part of it
other = story.branch(3, story.steps[3].candidates[1].id)           the second candidate of token 4 instead
continuation_tree([story, other])
"""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.analysis.generation.steps import Generation
from explorer.analysis.generation.tree import Tree, step
from explorer.errors import ExplorerError
from explorer.short_text import WithShortText


@dataclass(frozen=True, eq=False, repr=False)
class ContinuationTree(WithShortText):
    """The tree of a prompt's continuations; `generations` has the text of each branch by its number."""

    tree: Tree
    generations: dict[int, Generation]


def continuation_tree(generations: Sequence[Generation]) -> ContinuationTree:
    """The tree of continuations of one prompt by one model, as far as they are written.

    The first one is the first branch. Raises ExplorerError for none, and for several prompts or models.

    >>> import explorer
    >>> from explorer.analysis.generation import Sampling, generate
    >>> story = generate(explorer.load("gpt"), "the old river", Sampling(max_new_tokens=3, seed=3))
    >>> other = story.branch(1, 13) if story.take([11, 12]) else story
    >>> continuation_tree([story, other]).tree.path(1)
    (11, 13)
    """
    if len({(str(generation.model.checkpoint), generation.prompt) for generation in generations}) != 1:
        raise ExplorerError("A tree has continuations of one prompt by one model.", "Give it at least one.")
    tree, longest = Tree(), dict[int, Generation]()
    for generation in generations:
        number = 0
        for at, id in enumerate(generation.ids):
            tree, number = step(tree, number, at, id)
        if number not in longest or len(generation.ids) > len(longest[number].ids):
            longest[number] = generation
    return ContinuationTree(tree, longest)
