"""Which noun a head finds for a pronoun: the sentences, the count, its chance, and what is stored."""

import pytest
import torch

from explorer.analysis.heads import pronouns
from tests.analysis.heads.test_storing import SHIPPED, load_shipped


def test_who_goes_by_the_order_of_the_nouns_is_right_in_half():
    first = 0
    for one in pronouns.sentences():
        words = one.text.casefold().rstrip(".").replace(",", "").split()
        assert words.count(one.pronoun) == words.count(one.noun) == words.count(one.other) == 1
        assert max(words.index(one.noun), words.index(one.other)) < words.index(one.pronoun)
        first += words.index(one.noun) < words.index(one.other)
    assert (len(pronouns.sentences()), first) == (60, 30)


def test_a_head_is_right_where_the_noun_gets_more(tiny_bert):
    one = pronouns.sentences()[0]
    turned = pronouns.Sentence(one.text, one.pronoun, one.other, one.noun)
    scores, others = (pronouns.measure(tiny_bert, (each,)).right for each in (one, turned))
    assert torch.equal(scores + others, torch.ones_like(scores)), "in each head it is one of the two"


def test_the_best_of_many_heads_that_guess_is_no_surprise():
    # Binomial(10, 1/2): P(X >= 9) = 11/1024
    assert pronouns.Pronouns(torch.tensor([[9]]), 10).chance == pytest.approx(11 / 1024)
    assert pronouns.Pronouns(torch.tensor([[9] + [5] * 71]), 10).chance == pytest.approx(72 * 11 / 1024)


@pytest.mark.weights
@pytest.mark.parametrize("name", SHIPPED)
def test_the_file_fits_the_model(name):
    live, stored = pronouns.measure(load_shipped(name)), pronouns.stored(name)
    assert stored.sentences == live.sentences
    # Two weights may be as good as equal, and so differ by processor.
    assert (live.right - stored.right).abs().max() <= 1, f"run python -m measuring.heads --pronouns {name}"
