"""Parts of a list of examples: each class keeps its share, and nothing is lost."""

from collections import Counter

import pytest

from explorer.finetuning import Labelled, library
from explorer.finetuning.sampling import sample_by_class, split


def test_nothing_is_lost_and_no_class_by_keeping_aside():
    examples = [Labelled(f"text {i}", "rare" if i == 7 else "common") for i in range(20)]
    training, held_out = split(examples, 0.5)
    assert {*training, *held_out} == {*examples} and len(held_out) == 9
    assert examples[7] in training


@pytest.mark.parametrize("count", [2, 7, 10, 50])
def test_some_of_many_keep_every_class(count):
    films = library.examples("films")
    sample = sample_by_class(films, count)
    assert len(sample) == count and len(set(sample)) == count
    assert sample == [example for example in films if example in sample], "in their order"
    shares = Counter(example.label for example in sample)
    assert abs(shares["positive"] - shares["negative"]) <= 1


def test_all_are_kept_where_there_are_fewer():
    assert sample_by_class(library.examples("names"), 1_000) == list(library.examples("names"))
