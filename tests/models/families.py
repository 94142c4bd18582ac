"""A tiny model of any registered family, so that the common suite needs no change for a newcomer."""

from dataclasses import fields
from pathlib import Path

import torch

import explorer
from explorer.errors import TextError
from explorer.models import FAMILIES, LanguageModel
from explorer.trace import Ability
from tests import encoders, tiny
from tests.hub_files import write_model

# Different primes (times the heads) under the names that the configurations use.
SIZES = {
    "d_model": 35, "layers": 3, "heads": 5, "d_mlp": 53, "decoder_layers": 2, "decoder_heads": 7,
    "d_decoder_mlp": 59, "positions": 61, "d_half": 17, "d_hidden": 41, "d_char": 7, "width": 13,
    "filters": ((1, 3), (2, 11), (3, 5)),
}  # fmt: skip
TURNED = {"d_model": 70}  # queries and keys are turned in pairs: a head has an even width
SHARED = {"d_model": 42, "heads": 6, "d_head": 10}  # several heads share a key
PRE_NORM_NOISE = 0.12
LOCAL = (False, True, True)
GEMMA2 = {"kv_heads": 2, "window": 4, "local": LOCAL, "query_scalar": 211}
OWN = {
    "llama": SHARED | {"kv_heads": 3}, "mistral": SHARED | {"kv_heads": 2, "window": 4},
    "qwen2": SHARED | {"kv_heads": 2, "window": 3, "local": LOCAL}, "qwen3": SHARED | {"kv_heads": 3},
    "gpt_neox": TURNED | {"rotary_share": 0.3}, "gpt_neo": {"window": 3, "local": LOCAL},
    "modernbert": TURNED | {"reach": 2, "local": LOCAL}, "gemma": SHARED | {"kv_heads": 2},
    "gemma2": SHARED | GEMMA2 | {"score_cap": 2.0, "logit_cap": 7.0},
    "gemma3_text": SHARED | GEMMA2 | {"local_base": 90.0}, "phi3": TURNED | {"window": 4},
    "smollm3": SHARED | {"rotated": (True, False, True)}, "olmo": TURNED, "olmo2": TURNED,
    "granite": SHARED | {"embedding_scale": 3.0, "residual_scale": 0.7, "logit_divisor": 1.7},
    "gptj": TURNED | {"rotary_share": 3 / 7}, "phi": TURNED | {"rotary_share": 0.3},
    "stablelm": TURNED | {"rotary_share": 0.3}, "starcoder2": TURNED | {"window": 4},
    "cohere": SHARED | {"kv_heads": 3, "logit_scale": 1.5},
    "falcon": {"d_model": 84, "heads": 6, "kv_heads": 2}, "bloom": {"d_mlp": 140},
    "gpt_bigcode": {"d_mlp": 61},
}  # fmt: skip


def own_sizes(model_type: str) -> dict:
    """The sizes of a family that differ, or else of the one whose configuration it inherits."""
    bases = FAMILIES[model_type].config.__mro__
    heirs = [name for base in bases for name in OWN if name in FAMILIES and FAMILIES[name].config is base]
    return OWN.get(model_type) or OWN.get(next(iter(heirs), ""), {})


# One name for each network: XLM-R is RoBERTa's.
NETWORKS = sorted({family.config: name for name, family in sorted(FAMILIES.items(), reverse=True)}.values())


def build(model_type: str, folder: Path) -> LanguageModel:
    """Random weights of a family, written to a folder in the hub's format and loaded from it."""
    family = FAMILIES[model_type]
    names = {field.name for field in fields(family.config)}
    sizes = {name: size for name, size in SIZES.items() if name in names} | own_sizes(model_type)
    if model_type in encoders.TOKENIZERS:
        d_vocab, write_tokenizer = encoders.D_VOCAB, encoders.TOKENIZERS[model_type]
    elif "characters" in names:  # a model that spells its words
        d_vocab, write_tokenizer = len(tiny.SPELLED), tiny.write_words
    elif Ability.VECTORS in family.abilities(frozenset({"lm_head"})):
        d_vocab, write_tokenizer = len(tiny.WHOLE), tiny.write_whole_words
    elif Ability.GENERATE in family.abilities(frozenset({"lm_head"})):
        d_vocab, write_tokenizer = tiny.GPT["vocab_size"], tiny.write_merges
    elif Ability.TRANSLATE in family.abilities(frozenset({"lm_head"})):
        d_vocab, write_tokenizer = tiny.MARIAN["vocab_size"], tiny.write_pieces
        sizes |= {"padding": d_vocab - 1, "start": d_vocab - 1}
    else:
        d_vocab, write_tokenizer = tiny.BERT["vocab_size"], tiny.write_vocab
    # Without a norm after each layer numbers grow: smaller weights keep rounding as small as elsewhere.
    noise = PRE_NORM_NOISE if model_type in OWN else 0.25
    network = tiny.shake(family.network(family.config(**sizes, d_vocab=d_vocab)), noise=noise)
    write_model(folder, network, family)
    write_tokenizer(folder)
    return explorer.load(f"folder:{folder}")


def reads(model: LanguageModel, text: str) -> bool:
    """Whether a model finds anything in a text; one without a start token says so where it does not."""
    try:
        return len(model.encode(text)) > 0
    except TextError:
        assert model.tokenizer.start is None
        return False


def d_head(config) -> int:
    """How wide a head of a Transformer is."""
    return getattr(config, "d_head", config.d_model // config.heads)


def wavy(tensor: torch.Tensor) -> torch.Tensor:
    """A small change that differs at every place."""
    return tensor + 0.01 * torch.arange(tensor.numel()).reshape(tensor.shape).sin()
