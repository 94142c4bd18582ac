"""A folder of vectors as it is read: fair draws, and all of it piece by piece."""

import pytest
import torch

from explorer.corpus.vectors.reader import Corpus
from explorer.errors import NotFoundError, TextError


@pytest.fixture
def corpus(made):
    return Corpus.open(made())


def test_a_draw_is_fair_and_a_larger_one_begins_with_the_smaller(corpus):
    total = corpus.total("bank")
    assert corpus.draw("bank", 30, seed=3)[:10] == corpus.draw("bank", 10, seed=3)
    assert corpus.draw("bank", 10, seed=3) != corpus.draw("bank", 10, seed=4)
    assert sorted(corpus.draw("bank", 10 * total)) == list(range(total))
    first = [corpus.draw("bank", 1, seed)[0] for seed in range(2000)]
    counts = torch.bincount(torch.tensor(first), minlength=total)
    assert len(counts) == total and counts.max() < 60, "2,000 draws over 100: 20 each"


def test_pieces_and_picks_agree(corpus):
    layer = corpus.manifest.layers[-1]
    whole = torch.cat(list(corpus.vectors("bank", layer)))
    numbers = corpus.draw("bank", 37, seed=1)
    assert torch.equal(corpus.some("bank", layer, numbers), whole[numbers])
    drawn = corpus.occurrences("bank", numbers)
    assert [occurrence.sentence for occurrence in drawn] == numbers
    in_order = corpus.occurrences("bank", range(len(whole)))
    assert drawn == [in_order[number] for number in numbers]


def test_a_word_that_was_not_looked_for(corpus):
    with pytest.raises(TextError, match="no vectors of “river”") as error:
        corpus.total("river")
    assert "bank" in error.value.hint


@pytest.mark.parametrize("name", ["", "x" * 5000, "nul\0", "~nobody-of-this-name/x", "nowhere"])
def test_what_is_no_folder_of_vectors_is_said_so(name):
    with pytest.raises(NotFoundError, match="is no folder of vectors"):
        Corpus.open(name)
