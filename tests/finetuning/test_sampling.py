"""Parts of a list of examples: each class keeps its share, and nothing is lost."""

from collections import Counter

import pytest

from explorer.finetuning import Labelled, library
from explorer.finetuning.sampling import folds, sample_by_class, split


def test_nothing_is_lost_and_no_class_by_keeping_aside():
    examples = [Labelled(f"text {i}", "rare" if i == 7 else "common") for i in range(20)]
    training, held_out = split(examples, 0.5)
    assert {*training, *held_out} == {*examples} and len(held_out) == 9
    assert examples[7] in training


def test_pairs_with_the_same_first_text_stay_together():
    for name, text in (("pairs", "text"), ("passages", "passage")):
        for seed in range(5):
            training, held_out = split(library.examples(name), 0.25, seed)
            firsts = [{getattr(example, text) for example in part} for part in (training, held_out)]
            assert not firsts[0] & firsts[1] and len(held_out) >= len(training) / 5


def test_every_example_is_in_one_fold():
    examples = library.examples("films")
    parts = folds(examples, 4, seed=3)
    assert sorted(i for part in parts for i in part) == list(range(len(examples)))
    shares = [Counter(examples[i].label for i in part) for part in parts]
    assert all(abs(share["positive"] - share["negative"]) <= 1 for share in shares)


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


def test_equal_texts_are_on_one_side_and_count_once_where_they_are_held_out():
    texts = [(f"text {i % 10}", f"Text  {i % 10}", f"text {i % 10}.")[i // 10 % 3] for i in range(60)]
    examples = [
        Labelled(text, "5" if i % 2 else "4.0" if i // 10 % 2 else "4") for i, text in enumerate(texts)
    ]
    training, held_out = split(examples)
    parts = [
        {" ".join(example.text.lower().strip(".").split()) for example in part}
        for part in (training, held_out)
    ]
    assert not parts[0] & parts[1] and len(parts[0] | parts[1]) == 10
    assert len(held_out) == len(set(held_out)) == 2
