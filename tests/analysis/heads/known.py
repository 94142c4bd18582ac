"""A GPT whose heads are known, since its weights are set by hand and nothing is left to training.

state          [ token, one of V | position, one of P | token before, one of V ]
L0H0           looks one position back, and writes that token into the third part
L1H1           looks for a position whose third part is its own token: an induction head
L1H0           looks for its own token at earlier positions: a duplicate-token head
L0H1           looks at everything alike
"""

from pathlib import Path

import torch

from explorer.models import FAMILIES, LanguageModel
from explorer.models.gpt import GptConfig
from explorer.tokenizers import read_tokenizer
from explorer.trace import Checkpoint

WORDS = ["the", "old", "dog", "saw", "a", "cat", "and", "ran", "home", "fast", "bird", "tree"]
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
POSITIONS = 24
SHARP = 8.0  # how far the wanted score stands above the others, before the softmax


def build(folder: Path) -> LanguageModel:
    """The model, with [CLS] as its first token."""
    vocab = folder / "vocab.txt"
    vocab.write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    size = len(VOCABULARY)
    d_model = 2 * size + POSITIONS
    d_model += d_model % 2
    config = GptConfig(size, d_model, layers=2, heads=2, d_mlp=3, positions=POSITIONS)
    network = FAMILIES["gpt2"].network(config).eval().requires_grad_(False)
    for parameter in network.parameters():
        parameter.zero_()
    for name, parameter in network.named_parameters():
        if name.endswith("norm.weight"):
            parameter.fill_(1)
    token, place, before = slice(0, size), slice(size, size + POSITIONS), slice(size + POSITIONS, d_model)
    network.tokens.weight[:, token] = torch.eye(size)
    network.positions.weight[:, place] = torch.eye(POSITIONS)
    back = torch.diag(torch.ones(POSITIONS - 1), 1)  # position p asks for p - 1
    _wire(network, 0, 0, place, back, place)
    _carry(network, 0, 0, token, before, size)
    _wire(network, 1, 1, token, torch.eye(size), before)
    _wire(network, 1, 0, token, torch.eye(size), token)
    tokenizer = read_tokenizer(vocab.parent)
    abilities = FAMILIES["gpt2"].abilities(frozenset({"lm_head"}))
    return LanguageModel(Checkpoint("folder", "known"), config, network, tokenizer, abilities)


def _wire(network, layer: int, head: int, asks: slice, wanted: torch.Tensor, answers: slice) -> None:
    """Let a head match what `asks` holds, after `wanted`, with what `answers` holds."""
    d_model, d_head = network.config.d_model, network.config.d_model // 2
    width = len(wanted)
    weight = network.blocks[layer].attention.qkv.weight
    first = head * d_head
    weight[first : first + width, asks] = SHARP * wanted
    weight[d_model + first : d_model + first + width, answers.start : answers.start + width] = torch.eye(
        width
    )


def _carry(network, layer: int, head: int, read: slice, write: slice, width: int) -> None:
    """Let a head copy what `read` holds at the position it looks at into `write`."""
    d_model, d_head = network.config.d_model, network.config.d_model // 2
    attention = network.blocks[layer].attention
    first = head * d_head
    attention.qkv.weight[2 * d_model + first : 2 * d_model + first + width, read] = torch.eye(width)
    attention.output.weight[write.start : write.start + width, first : first + width] = torch.eye(width)
