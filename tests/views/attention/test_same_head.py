"""Heads before and after more training are told from those of another training by their weights."""

from copy import deepcopy
from dataclasses import replace

import pytest
import torch

import explorer
from explorer.finetuning import library
from explorer.views.attention.same_head import SAME, head_cosines, weights_of_heads
from tests import tiny


@pytest.mark.parametrize("name", ["tiny_bert", "tiny_gpt"])
def test_heads_are_told_apart_by_their_weights(request, name):
    model = request.getfixturevalue(name)
    separate = replace(model, network=tiny.shake(deepcopy(model.network), seed=7))
    assert float(head_cosines(model, separate, 1).abs().max()) < SAME
    tuned = replace(model, network=deepcopy(model.network))
    with torch.no_grad():
        for weights, noise in zip(tuned.network.parameters(), separate.network.parameters()):
            weights.add_(0.5 * noise)
    cosines = head_cosines(model, tuned, 1)
    torch.testing.assert_close(cosines, torch.full((model.config.heads,), 0.8**0.5), atol=0.06, rtol=0)


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
