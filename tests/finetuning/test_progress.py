"""The map that follows a training."""

import torch

from explorer.finetuning.progress import project_aligned


def test_a_map_lies_on_the_one_before_it():
    generator = torch.Generator().manual_seed(0)
    points = torch.randn(20, 9, generator=generator) * torch.tensor([9.0, 5, *[0.1] * 7])
    first = project_aligned(points)
    turn, _ = torch.linalg.qr(torch.randn(9, 9, generator=generator))
    assert torch.allclose(project_aligned(points @ turn, first), first, atol=1e-3), (
        "a turned cloud is the same map"
    )
    assert project_aligned(points[:5], first).shape == (5, 2), "other dots begin a new map"
