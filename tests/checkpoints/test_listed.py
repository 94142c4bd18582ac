"""The sizes that the picker tells are those of the shapes: 4 bytes a number, no weights fetched."""

import pytest
import torch

from explorer.checkpoints.format import _NoInit
from explorer.checkpoints.listed import LISTED
from explorer.models import FAMILIES

BERT = {"d_model": 768, "heads": 12, "d_mlp": 3072}
# What the published config.json of each says, where our defaults do not.
SHAPES = {
    "google-bert/bert-base-uncased": ("bert", {"d_vocab": 30522}),
    "google-bert/bert-base-cased": ("bert", {"d_vocab": 28996}),
    "google-bert/bert-base-chinese": ("bert", {"d_vocab": 21128}),
    "google-bert/bert-base-multilingual-cased": ("bert", {"d_vocab": 119547}),
    "FacebookAI/roberta-base": ("roberta", {"d_vocab": 50265}),
    "FacebookAI/xlm-roberta-base": ("xlm-roberta", {"d_vocab": 250002}),
    "distilbert/distilbert-base-uncased": ("distilbert", {"d_vocab": 30522}),
    "distilbert/distilbert-base-multilingual-cased": ("distilbert", {"d_vocab": 119547}),
    "distilbert/distilroberta-base": ("roberta", {"d_vocab": 50265, "layers": 6}),
    "albert/albert-base-v2": ("albert", {"d_vocab": 30000}),
    "openai-community/gpt2": ("gpt2", {"d_vocab": 50257}),
    "distilbert/distilgpt2": ("gpt2", {"d_vocab": 50257, "layers": 6}),
    "openai-community/gpt2-medium": (
        "gpt2",
        {"d_vocab": 50257, "d_model": 1024, "layers": 24, "heads": 16, "d_mlp": 4096},
    ),
}


@pytest.mark.parametrize("name", LISTED)
def test_the_size_told_is_that_of_the_shape(name):
    model_type, sizes = SHAPES[name]
    family = FAMILIES[model_type]
    config = family.config(**(BERT | sizes))
    with torch.device("meta"), _NoInit():
        network = family.network(config)
    numbers = sum(parameter.numel() for parameter in network.parameters())
    if model_type == "gpt2":  # the files keep each layer's causal mask, too
        numbers += config.layers * config.positions**2
    assert LISTED[name].megabytes == pytest.approx(numbers * 4 / 1e6, rel=0.01)
