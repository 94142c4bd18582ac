"""Rotary positions: the score of a query and a key is a head's own, and knows their distance alone."""

import pytest
import torch

from explorer.analysis.positions import learnt, rotations
from explorer.analysis.transformer import walk
from explorer.errors import AbilityError
from explorer.models.rotary import Rotary
from tests.models import families

TEXT = "the bank by the old river"


@pytest.fixture(scope="module")
def llama(tmp_path_factory):
    return families.build("llama", tmp_path_factory.mktemp("llama"))


def test_the_score_of_two_tokens_is_the_layers_own(llama):
    found = walk(llama, TEXT, layer=1, head=4)
    rotary = rotations.rotary_of(llama, 1)
    for query, key in ((5, 2), (3, 3)):
        one, other = found.value("q")[query], found.value("k")[key]
        scores = rotations.scores(one, other, rotary, 7)
        assert float(scores[key, query]) == pytest.approx(float(found.value("scores")[query, key]), abs=1e-4)


def test_the_distance_alone_counts(llama):
    query, key = rotations.mean_query_and_key(llama, TEXT, 2, 1)
    found = learnt.by_distance(rotations.scores(query, key, rotations.rotary_of(llama), 40))
    assert float((found.largest - found.smallest).max()) < 1e-9 and found.mean.std() > 0.01


def test_pairs_turn_by_position_times_frequency():
    found = rotations.angles(Rotary(dims=6, base=1000.0), 5)
    torch.testing.assert_close(found[4], 4 * torch.tensor([1.0, 0.1, 0.01]).double(), atol=1e-6, rtol=0)


def test_a_model_with_a_table_is_refused(bert, llama):
    with pytest.raises(AbilityError, match="does not rotate queries"):
        rotations.mean_query_and_key(bert, TEXT, 0, 0)
    with pytest.raises(AbilityError, match="has no table of positions"):
        learnt.learnt(llama)
