"""BLOOM: GPT-2 that tells positions by lowering scores with the distance (ALiBi).

Paper: BigScience Workshop, "BLOOM: A 176B-Parameter Open-Access Multilingual Language Model" (2022), section
3.2. Reference code: bigscience-workshop/Megatron-DeepSpeed, megatron/model/transformer.py.

What differs from GPT-2: ALiBi instead of a table of positions, and a norm after the token vectors. Its files
have queries, keys and values in one matrix, head by head.
"""

from dataclasses import dataclass
from typing import Any

from explorer.models import gpt_neox
from explorer.models.decoder_files import decoder_rules, register_decoder, with_rows
from explorer.models.fused import group_by_group
from explorer.models.transformer import Design, TransformerConfig

KEYS = {"d_vocab": "vocab_size", "d_model": "hidden_size", "layers": "n_layer", "heads": "n_head"}
KEYS |= {"norm_eps": "layer_norm_epsilon", "tied": "tie_word_embeddings"}
TABLES = {"tokens": "word_embeddings", "embedding_norm": "word_embeddings_layernorm", "norm": "ln_f"}
PARTS = {ours: name.replace("attention.", "self_attention.", 1) for ours, name in gpt_neox.PARTS.items()}


@dataclass(frozen=True)
class BloomConfig(TransformerConfig):
    """GPT-2's sizes; the MLP is four times as wide as the states."""

    positions: int = 2048

    @property
    def design(self) -> Design:
        """GPT-2's, with ALiBi and a norm of the token vectors."""
        return Design(alibi=True, embedding_norm=True)


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    """Sizes in older words, and how long the texts were that it was trained on, where the file says it."""
    width = raw.get("hidden_size") or raw["n_embed"]
    return {
        "d_model": width,
        "d_mlp": 4 * width,
        "layers": raw.get("n_layer") or raw["num_hidden_layers"],
        "heads": raw.get("n_head") or raw["num_attention_heads"],
        "positions": raw.get("seq_length") or BloomConfig.positions,
    }


register_decoder(
    "bloom",
    "BloomForCausalLM",
    BloomConfig,
    KEYS,
    with_rows(decoder_rules(TABLES, "h.{i}.", PARTS), group_by_group),
    read_more=_read_more,
    fixed=(("apply_residual_connection_post_layernorm", False),),
)
