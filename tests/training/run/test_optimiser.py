"""Muon's updates are orthogonal; every parameter has exactly one optimiser."""

import torch

from training.run.optimiser import Muon, muon_and_adamw, orthogonal


def test_orthogonal_brings_singular_values_near_one():
    torch.manual_seed(0)
    for shape in ((3, 16, 48), (1, 16, 64), (1, 64, 16)):
        values = torch.linalg.svdvals(orthogonal(torch.randn(shape)))
        assert values.min() > 0.5 and values.max() < 1.3


def test_muon_lowers_a_quadratic():
    torch.manual_seed(0)
    target, weight = torch.randn(12, 8), torch.nn.Parameter(torch.zeros(12, 8))
    optimiser = Muon([{"params": [weight]}], lr=0.05)
    losses = []
    for _ in range(200):
        loss = ((weight - target) ** 2).sum()
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
        losses.append(loss.item())
    assert losses[-1] < 0.1 * losses[0]


def test_every_parameter_has_one_optimiser(gpt, bert):
    for task in (gpt, bert):
        owned = [id(p) for o in task.optimisers() for g in o.param_groups for p in g["params"]]
        assert sorted(owned) == sorted(id(p) for p in task.network.parameters())


def test_muon_has_the_matrices_of_the_blocks(gpt):
    muon, _ = muon_and_adamw(gpt.network)
    assert sum(len(g["params"]) for g in muon.param_groups) == 4 * gpt.network.config.layers
