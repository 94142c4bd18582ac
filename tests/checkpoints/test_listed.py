"""The sizes that the picker tells are those of the shapes, no weights fetched: 4 bytes a number, or 2."""

import pytest
import torch

from explorer.assets import ROOT
from explorer.checkpoints.format import _NoInit
from explorer.checkpoints.listed import LISTED
from explorer.checkpoints.placement import needed_bytes
from explorer.models import FAMILIES

PAGE = ROOT / "docs" / "own-model.md"
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
    "answerdotai/ModernBERT-base": ("modernbert", {"d_vocab": 50368, "layers": 22, "d_mlp": 1152}),
    "EleutherAI/pythia-160m": ("gpt_neox", {"d_vocab": 50304, "layers": 12, "positions": 2048}),
    "HuggingFaceTB/SmolLM2-360M-Instruct": (
        "llama",
        {"d_vocab": 49152, "d_model": 960, "layers": 32, "heads": 15, "kv_heads": 5, "d_mlp": 2560}
        | {"tied": True},
    ),
    "Qwen/Qwen2.5-0.5B": (
        "qwen2",
        {"d_vocab": 151936, "d_model": 896, "layers": 24, "heads": 14, "kv_heads": 2, "d_mlp": 4864}
        | {"tied": True},
    ),
    "Qwen/Qwen3-0.6B": (  # whose file has the output matrix twice
        "qwen3",
        {"d_vocab": 151936, "d_model": 1024, "layers": 28, "heads": 16, "kv_heads": 8, "d_head": 128}
        | {"tied": False},
    ),
    "allenai/OLMo-2-0425-1B-Instruct": (
        "olmo2",
        {"d_vocab": 100352, "d_model": 2048, "layers": 16, "heads": 16, "d_mlp": 8192},
    ),
    "HuggingFaceTB/SmolLM3-3B": (
        "smollm3",
        {"d_vocab": 128256, "d_model": 2048, "layers": 36, "heads": 16, "kv_heads": 4, "d_mlp": 11008}
        | {"tied": True},
    ),
}
HALVES = ("gpt_neox", "llama", "qwen2", "qwen3", "olmo2", "smollm3")  # published in 16 bits a number
# The need that docs/own-model.md tells, and what is free there of a computer's memory.
NEEDS = {"OLMo 2 1B": "allenai/OLMo-2-0425-1B-Instruct", "SmolLM3 3B": "HuggingFaceTB/SmolLM3-3B"}


def shape(name):
    """The configuration of a model, and how many numbers each of its parameters has."""
    model_type, sizes = SHAPES[name]
    family = FAMILIES[model_type]
    config = family.config(**(BERT | sizes))
    with torch.device("meta"), _NoInit():
        network = family.network(config)
    return config, [parameter.numel() for parameter in network.parameters()]


@pytest.mark.parametrize("name", LISTED)
def test_the_size_told_is_that_of_the_shape(name):
    config, sizes = shape(name)
    model_type, numbers = SHAPES[name][0], sum(sizes)
    if model_type == "gpt2":  # the files keep each layer's causal mask, too
        numbers += config.layers * config.positions**2
    size = numbers * (2 if model_type in HALVES else 4)
    if model_type == "gpt_neox":  # and its files a mask of single bytes
        size += config.layers * config.positions**2
    assert LISTED[name].megabytes == pytest.approx(size / 1e6, rel=0.01)


@pytest.mark.parametrize("told", NEEDS)
def test_the_need_told_is_that_of_the_shape_and_fits_its_computer(told):
    need = needed_bytes(shape(NEEDS[told])[1], torch.bfloat16) / 1e9
    (line,) = (
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if f"{told} ({need:.1f}" in line
    )
    assert need < float(line.split("|")[2].removesuffix(" GB "))
