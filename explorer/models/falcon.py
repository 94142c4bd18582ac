"""Falcon: attention and MLP side by side, with one key and one value for all queries, or a few.

Paper: Almazrouei et al., "The Falcon Series of Open Language Models" (2023), section 4. Reference code:
tiiuae/falcon-7b, modeling_falcon.py. Falcon 3 is a Llama. The smaller Falcon-RW, with ALiBi in 16 bits, is
not read.

What differs from GPT-NeoX: no biases; all of a head is rotated; one norm for both parts (those of 40 billion
parameters and more have two, and are not read). Its files have the queries of a group, their key and their
value in turn, in one matrix.
"""

from dataclasses import dataclass
from typing import Any

from explorer.errors import FormatError
from explorer.models import gpt_neox
from explorer.models.decoder_files import decoder_rules, with_rows
from explorer.models.fused import group_by_group
from explorer.models.llama import LlamaConfig, read_rotary, register_variant
from explorer.models.naming import ONE_TEXT
from explorer.models.transformer import Design

KEYS = ONE_TEXT | {
    "d_mlp": "ffn_hidden_size",
    "activation": "activation",
    "norm_eps": "layer_norm_epsilon",
    "qkv_bias": "bias",
}
PARTS = {ours: name.replace("attention.", "self_attention.", 1) for ours, name in gpt_neox.PARTS.items()}


@dataclass(frozen=True)
class FalconConfig(LlamaConfig):
    """Sizes and choices; biases are everywhere or nowhere."""

    activation: str = "gelu"
    norm_eps: float = 1e-5
    tied: bool = True

    @property
    def design(self) -> Design:
        """Attention and MLP side by side."""
        return Design(
            rotary=self.rotary,
            qkv_bias=self.qkv_bias,
            output_bias=self.qkv_bias,
            mlp_bias=self.qkv_bias,
            parallel=True,
            shared_norm=True,
        )


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    new, heads = raw.get("new_decoder_architecture"), raw["num_attention_heads"]
    if new and raw.get("num_ln_in_parallel_attn") != 1:
        raise FormatError(
            "Attention and MLP have a norm each, as in Falcons of 40 billion parameters, which Riverbank "
            "does not compute.",
            "Choose a Falcon of 7 or 11 billion parameters.",
        )
    grouped = raw.get("num_kv_heads") or heads
    return read_rotary(raw) | {
        "d_mlp": raw.get("ffn_hidden_size") or 4 * raw["hidden_size"],
        "kv_heads": grouped if new else (1 if raw.get("multi_query", True) else heads),
    }


register_variant(
    "falcon",
    "FalconForCausalLM",
    FalconConfig,
    KEYS,
    read_more=_read_more,
    rules=with_rows(
        decoder_rules({"tokens": "word_embeddings", "norm": "ln_f"}, "h.{i}.", PARTS), group_by_group
    ),
    prefix="transformer.",
    fixed=(("alibi", False), ("parallel_attn", True)),
)
