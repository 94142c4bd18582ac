"""Examples are written as lines that are read as the same examples; of many, each class keeps its share."""

from collections import Counter

import pytest

from explorer.finetuning import library, tables, typed


@pytest.mark.parametrize("one", library.COLLECTIONS, ids=lambda one: one.name)
def test_what_is_written_is_read_again(one):
    examples = library.examples(one.name)
    assert tables.typed(one.kind, typed.write(examples)).examples == examples


@pytest.mark.parametrize("count", [2, 7, 10, 50])
def test_some_of_many_keep_every_class(count):
    films = library.examples("films")
    some = typed.some(films, count)
    assert len(some) == count and len(set(some)) == count
    assert some == [example for example in films if example in some], "in their order"
    shares = Counter(example.label for example in some)
    assert abs(shares["positive"] - shares["negative"]) <= 1


def test_all_are_kept_where_there_are_fewer():
    assert typed.some(library.examples("names"), 1_000) == list(library.examples("names"))
