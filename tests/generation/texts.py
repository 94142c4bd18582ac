"""A small network with random weights, texts of it that are half read, and one request served."""

import torch

from explorer.generation.engine import CachedText, StepRequest
from explorer.models import FAMILIES
from explorer.models.gpt import GptConfig


def network(d_model=26, heads=2, d_mlp=31, d_vocab=270, **settings):
    """Random weights that leave no distribution flat."""
    config = GptConfig(d_vocab, d_model, 3, heads, d_mlp, positions=41, **settings)
    made = FAMILIES["gpt2"].network(config)
    generator = torch.Generator().manual_seed(7)
    for parameter in made.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator) * 0.2
    return made.eval().requires_grad_(False)


def ragged(net, lengths):
    """A text for each length, one of its tokens unread, and all its ids."""
    texts = []
    for row, length in enumerate(lengths):
        ids = [(i * 7 + row) % net.config.d_vocab for i in range(length)]
        text = CachedText(net.new_cache(capacity=40), ids[-1:])
        if length > 1:
            net(torch.tensor([ids[:-1]]), cache=text.cache)
        texts.append((text, ids))
    return texts


def same_scores(net, texts, logits) -> None:
    """Each row has what the network gives after its text, read as a whole."""
    for (_, ids), row in zip(texts, logits, strict=True):
        expected = net.unembed(net(torch.tensor([ids])).last[0, -1])
        torch.testing.assert_close(row, expected, atol=1e-5, rtol=1e-5)


def served(model_engine, *texts, **asked):
    request = StepRequest(texts, **asked)
    model_engine.serve([request])
    assert request.error is None
    return request
