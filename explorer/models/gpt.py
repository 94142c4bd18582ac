"""GPT-2: a left-to-right Transformer decoder that predicts the next token.

Paper: Radford, Wu, Child, Luan, Amodei, Sutskever, "Language Models are Unsupervised Multitask
Learners" (2019). Reference code: openai/gpt-2, src/model.py.

    ids -> tokens + learned positions -> N blocks -> LayerNorm -> scores (tied to the embedding)
    block:  x = x + attention(LayerNorm(x));  x = x + mlp(LayerNorm(x))
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from explorer.models.decoder_files import decoder_rules, register_decoder
from explorer.models.family import Rule
from explorer.models.transformer import Transformer, TransformerConfig

KEYS = {
    "d_vocab": "vocab_size",
    "d_model": "n_embd",
    "layers": "n_layer",
    "heads": "n_head",
    "d_mlp": "n_inner",
    "positions": "n_positions",
    "activation": "activation_function",
    "norm_eps": "layer_norm_epsilon",
    "tied": "tie_word_embeddings",
}
TABLES = {"tokens": "wte", "positions": "wpe", "norm": "ln_f"}
PARTS = {
    "attention.qkv": "attn.c_attn",
    "attention.output": "attn.c_proj",
    "attention_norm": "ln_1",
    "mlp.up": "mlp.c_fc",
    "mlp.down": "mlp.c_proj",
    "mlp_norm": "ln_2",
}


@dataclass(frozen=True)
class GptConfig(TransformerConfig):
    """Sizes and choices: those of the plain pre-norm Transformer are GPT-2's."""


class Gpt(Transformer):
    """The decoder; its head is the embedding matrix, unless the checkpoint has its own."""


def read_sizes(raw: dict[str, Any]) -> dict[str, Any]:
    """The sizes that GPT-2's files may leave out."""
    positions = raw.get("n_positions") or raw.get("n_ctx", 1024)
    return {"d_mlp": raw.get("n_inner") or 4 * raw["n_embd"], "positions": positions}


def _rules() -> tuple[Rule, ...]:
    """As decoders have them; the matrices of a layer are stored as (input, output)."""
    rules = decoder_rules(TABLES, "h.{i}.", PARTS)
    matrix = re.compile(r"blocks.*\.(qkv|output|up|down)\.weight")
    return tuple(replace(rule, transpose=bool(matrix.fullmatch(rule.ours))) for rule in rules)


register_decoder(
    "gpt2",
    "GPT2LMHeadModel",
    GptConfig,
    KEYS,
    _rules(),
    read_more=read_sizes,
    network=Gpt,
    fixed=(
        ("scale_attn_weights", True),
        ("scale_attn_by_inverse_layer_idx", False),
        ("add_cross_attention", False),
    ),
)
