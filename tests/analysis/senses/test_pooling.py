"""The six choices and ELMo's mix, worked by hand and against ELMo's own parameters."""

import pytest
import torch

from explorer.analysis.senses.pooling import CHOICES, layers_of, mix_layers, mixes_layers, normalise, pool
from explorer.errors import ExplorerError
from explorer.models.layer_mix import LayerMix
from tests.models import families

VECTORS = torch.randn(5, 7, 3, generator=torch.Generator().manual_seed(0))  # layers 0 to 6


def test_the_six_choices():
    assert torch.equal(pool(VECTORS, "embedding"), VECTORS[:, 0])
    assert torch.equal(pool(VECTORS, "last"), VECTORS[:, 6])
    assert torch.equal(pool(VECTORS, "second"), VECTORS[:, 5])
    assert torch.equal(pool(VECTORS, "concat4"), torch.cat([VECTORS[:, i] for i in (3, 4, 5, 6)], 1))
    torch.testing.assert_close(pool(VECTORS, "sum4"), VECTORS[:, 3:].mean(1))
    torch.testing.assert_close(pool(VECTORS, "sum"), VECTORS[:, 1:].mean(1))
    assert {choice.name for choice in CHOICES} == {"embedding", "last", "second", "concat4", "sum4", "sum"}


def test_weights_count_in_proportion():
    alone = pool(VECTORS, "sum4", [0, 30, 0, 0])
    torch.testing.assert_close(alone, VECTORS[:, 4])
    some = pool(VECTORS, "sum", [1, 0, 0, 0, 0, 3])
    torch.testing.assert_close(some, 0.25 * VECTORS[:, 1] + 0.75 * VECTORS[:, 6])
    assert not pool(VECTORS, "sum", [0] * 6).any()


def test_the_mix_is_elmos_equation():
    mix = LayerMix(3)
    with torch.no_grad():
        mix.s.copy_(torch.tensor([0.3, -1.2, 0.8]))
        mix.gamma.fill_(0.7)
    learnt = mix.s.detach().exp().tolist()
    ours = mix_layers(VECTORS[:, :3], learnt, gamma=0.7)
    torch.testing.assert_close(ours, mix(VECTORS[:, :3].transpose(0, 1)).detach())
    assert normalise(learnt) == pytest.approx(mix.weights.tolist())


@pytest.mark.parametrize("last", range(4))
def test_a_shallow_model_gives_what_it_has(last):
    vectors = VECTORS[:, : last + 1]
    for choice in CHOICES:
        layers = layers_of(choice.name, last)
        assert layers and set(layers) <= set(range(last + 1))
        width = 3 * len(layers) if choice.name == "concat4" else 3
        assert pool(vectors, choice.name).shape == (5, width)


def test_what_there_is_not_is_said():
    with pytest.raises(ExplorerError) as caught:
        pool(VECTORS, "first")
    assert "concat4" in caught.value.hint
    with pytest.raises(ExplorerError):
        pool(VECTORS, "sum", [1, 2])


def test_only_elmo_is_mixed_by_its_task(tmp_path, bert):
    assert mixes_layers(families.build("elmo", tmp_path)) and not mixes_layers(bert)
