"""A left-to-right model of five tokens: small enough to try every text."""

import json

import torch

from explorer.models import FAMILIES, LanguageModel
from explorer.models.gpt import GptConfig
from explorer.tokenizers import read_tokenizer
from explorer.trace import Checkpoint


def model(folder, positions: int = 12) -> LanguageModel:
    """Random weights over <|endoftext|> a b c d; end-of-text is neither rare nor the rule."""
    entries = ["<|endoftext|>", *"abcd"]
    (folder / "vocab.json").write_text(json.dumps({t: i for i, t in enumerate(entries)}), encoding="utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n", encoding="utf-8")
    tokenizer = read_tokenizer(folder)
    config = GptConfig(d_vocab=tokenizer.size, d_model=14, layers=2, heads=2, d_mlp=19, positions=positions)
    network = FAMILIES["gpt2"].network(config)
    generator = torch.Generator().manual_seed(3)
    for parameter in network.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator) * 0.4
    network.eval().requires_grad_(False)
    abilities = FAMILIES["gpt2"].abilities(frozenset({"lm_head"}))
    return LanguageModel(Checkpoint("folder", "small"), config, network, tokenizer, abilities)


def log_probabilities(model: LanguageModel, ids: list[int]) -> torch.Tensor:
    """log P of every next token, read without a cache, in float64 from the logits on."""
    with torch.no_grad():
        last = model.network(torch.tensor([ids])).last[0, -1]
        return model.network.unembed(last).double().log_softmax(-1)
