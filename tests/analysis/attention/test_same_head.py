"""Heads before and after more training are told from those of another training by their weights."""

from copy import deepcopy
from dataclasses import replace

import pytest
import torch

import explorer
from explorer.analysis.attention.same_head import SAME, head_cosines, weights_of_heads
from explorer.finetuning import library
from explorer.finetuning.base_model import copy_network
from tests import tiny


def more_trained(model, size: float):
    """The model with noise of this share of its weights, as training adds some."""
    network = copy_network(model.network)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.requires_grad:
                parameter.add_(size * parameter.std() * torch.randn(parameter.shape, generator=generator))
    return replace(model, network=network)


@pytest.mark.parametrize("name", ["tiny_bert", "tiny_gpt"])
def test_a_change_of_some_size_has_the_cosine_of_its_size(request, name):
    model = request.getfixturevalue(name)
    cosines = head_cosines(model, more_trained(model, 0.5), 1)
    assert len(cosines) == model.config.heads
    torch.testing.assert_close(cosines, torch.full_like(cosines, 1 / 1.25**0.5), atol=0.06, rtol=0)


def test_separate_trainings_and_other_networks(tmp_path, tiny_bert, tiny_gpt):
    other = replace(tiny_bert, network=tiny.shake(deepcopy(tiny_bert.network), seed=7))
    assert float(head_cosines(tiny_bert, other, 1).abs().max()) < SAME
    assert head_cosines(tiny_bert, tiny_gpt, 1) is None
    tiny.write_bert(tmp_path, num_attention_heads=7)
    assert head_cosines(tiny_bert, explorer.load(tmp_path), 1) is None


@pytest.mark.weights
@pytest.mark.slow
def test_what_the_threshold_stands_on():
    bert = explorer.load("bert")
    for name in library.heads():
        tuned = library.head(name, bert).base_model
        assert min(float(head_cosines(bert, tuned, layer).min()) for layer in range(6)) > 0.96
    for layer in range(6):
        heads = torch.nn.functional.normalize(weights_of_heads(bert, layer), dim=-1)
        assert float((heads @ heads.T - torch.eye(12)).abs().max()) < 0.05
