"""A head on features that stay as they are: the search for it does not stop half way."""

from types import SimpleNamespace

import pytest
import torch

from explorer.finetuning import frozen
from explorer.finetuning.tasks import Tags

LABELS = ("O", *(f"B-{name}" for name in "abcdefghijklmnopqrs"))


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_what_can_be_learnt_by_heart_is(depth, seed):
    generator = torch.Generator().manual_seed(seed)
    features = torch.randn(depth, 400, 64, generator=generator) + 3 * torch.randn(
        depth, 1, 64, generator=generator
    )
    task = Tags(LABELS)
    right = (features[0, :, : len(LABELS)]).argmax(-1).tolist()
    items = [SimpleNamespace(targets=right, places=range(400))]
    losses = [loss for loss, _ in frozen.train_head(task, items, features)]
    assert losses[-1] < 0.3 * losses[0]
