"""Continuations of one prompt become a tree, in whatever order they are written."""

import pytest

from explorer.analysis.generation import Sampling, generate
from explorer.analysis.generation.tree import continuation_tree
from explorer.errors import ExplorerError

SAMPLING = Sampling(seed=0, max_new_tokens=8)


def written(model, *ids, prompt="the river"):
    """A continuation of these tokens."""
    generation = generate(model, prompt, SAMPLING)
    generation.take(ids)
    return generation


def test_a_branch_has_the_longest_text_that_was_written_of_it(gpt):
    story, longer, fork = (written(gpt, *ids) for ids in ((5, 6, 7), (5, 6, 7, 8), (5, 9)))
    part = written(gpt, 5)
    tree = continuation_tree([story, fork, longer, part])
    assert [tree.tree.path(number) for number in (0, 1)] == [(5, 6, 7, 8), (5, 9)]
    assert tree.generations == {0: longer, 1: fork}


def test_a_fork_of_a_fork_and_a_text_without_a_token(gpt):
    texts = [written(gpt, *ids) for ids in ((), (5, 6, 7), (8, 6, 7), (8, 6, 9))]
    tree = continuation_tree(texts)
    assert [branch.parent for branch in tree.tree.branches] == [None, 0, 1]
    assert tree.generations == dict(enumerate(texts[1:]))


def test_other_prompts_and_models_do_not_belong_into_a_tree(gpt):
    for texts in ([], [written(gpt, 5), written(gpt, 5, prompt="the bank")]):
        with pytest.raises(ExplorerError):
            continuation_tree(texts)
