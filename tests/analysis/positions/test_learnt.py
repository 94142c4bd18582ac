"""Tables of positions compared: products and distances against direct computation."""

import pytest
import torch

from explorer.analysis.positions import learnt, sinusoids
from explorer.errors import AbilityError


def test_it_is_the_networks_own_table(bert, gpt):
    for model in (bert, gpt):
        found = learnt.learnt(model, 9)
        torch.testing.assert_close(found.float(), model.network.positions.weight[:9])
        assert len(learnt.learnt(model)) == model.config.positions


def test_a_model_without_a_table_is_refused(static):
    with pytest.raises(AbilityError, match="no Transformer layer"):
        learnt.learnt(static)


def test_products_one_by_one(bert):
    vectors = learnt.learnt(bert, 6)
    found, unit = learnt.products(vectors), learnt.products(vectors, unit=True)
    for i in range(6):
        for j in range(6):
            assert float(found[i, j]) == pytest.approx(sum((vectors[i] * vectors[j]).tolist()))
            cosine = torch.cosine_similarity(vectors[i], vectors[j], dim=0)
            assert float(unit[i, j]) == pytest.approx(float(cosine))


def test_by_distance_gathers_the_pairs_that_far_apart(bert):
    found = learnt.products(learnt.learnt(bert, 7))
    gathered = learnt.by_distance(found)
    for d in range(7):
        pairs = [float(found[i, j]) for i in range(7) for j in range(7) if j - i == d]
        assert float(gathered.mean[d]) == pytest.approx(sum(pairs) / len(pairs))
        assert float(gathered.smallest[d]) == pytest.approx(min(pairs))
        assert float(gathered.largest[d]) == pytest.approx(max(pairs))


def test_distance_alone_counts_in_the_computed_table_and_not_in_a_learnt_one(bert):
    for vectors, alike in ((sinusoids.table(20, 22), True), (learnt.learnt(bert, 20), False)):
        gathered = learnt.by_distance(learnt.products(vectors, unit=True))
        assert (float((gathered.largest - gathered.smallest).max()) < 1e-10) is alike
