"""Mixes of layers: the layer that holds the fact gets the weight, and two ways to say where it sits."""

import pytest
import torch

from explorer.analysis.probing.fitting import TrainingConfig
from explorer.analysis.probing.mix import centre_of_gravity, expected_layer, fit_mix
from explorer.errors import ExplorerError


def test_the_layer_that_holds_the_fact_gets_the_weight():
    chance = torch.Generator().manual_seed(0)
    layers = torch.randn(600, 4, 6, generator=chance)
    labels = (layers[:, 2, 0] > 0).long()
    probe = fit_mix(lambda at: layers[at], 4, 6, labels, 2, TrainingConfig(epochs=30, batch=50, rate=0.05))
    assert probe.shares.argmax() == 2 and probe.shares[2] > 0.7
    assert probe.shares.sum().item() == pytest.approx(1)
    assert centre_of_gravity(probe.shares.tolist()) == pytest.approx(2, abs=0.4)
    assert (probe.scores(layers).argmax(-1) == labels).float().mean() > 0.95


def test_the_expected_layer_is_where_scores_rise():
    assert expected_layer([0.2, 0.2, 0.9, 0.9]) == 2
    assert expected_layer([0.5, 0.7, 0.6, 0.8]) == pytest.approx((0.2 * 1 - 0.1 * 2 + 0.2 * 3) / 0.3)
    assert expected_layer([0.9, 0.8]) is None
    with pytest.raises(ExplorerError, match="One layer"):
        expected_layer([0.5])
