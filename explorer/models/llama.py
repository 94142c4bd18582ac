"""Llama: the design of most language models since 2023, read left to right.

Papers: Touvron et al., "LLaMA: Open and Efficient Foundation Language Models" (2023), section 2.2;
"Llama 2" (2023) for grouped keys; Grattafiori et al., "The Llama 3 Herd of Models" (2024) for the scaling
of positions. Reference code: meta-llama/llama3, llama/model.py. SmolLM2 (Ben Allal et al. 2025) is one.

What differs from GPT-2: RMSNorm instead of LayerNorm; no biases; positions by rotating queries and keys
(`rotary`) instead of a learnt table; several queries share a key and a value; an MLP with a gate and SiLU.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.errors import FormatError
from explorer.models.decoder_files import decoder_rules, register_decoder
from explorer.models.family import Rule
from explorer.models.naming import ONE_TEXT
from explorer.models.rope_scaling import PLAIN_BASE, LongRope, Scaling, read_rope
from explorer.models.rotary import Rotary
from explorer.models.transformer import Design, TransformerConfig

# config.json's words for our fields: of all whose files are named as Llama's, and of those with RMSNorm.
ROTARY_KEYS = ONE_TEXT | {"kv_heads": "num_key_value_heads", "d_head": "head_dim"}
RMS_KEYS = ROTARY_KEYS | {"norm_eps": "rms_norm_eps"}
KEYS = RMS_KEYS | {"qkv_bias": "attention_bias", "mlp_bias": "mlp_bias"}
WINDOW_KEYS = KEYS | {"window": "sliding_window"}
TABLES = {"tokens": "embed_tokens", "norm": "norm"}
# The parts of a layer, in the words of its files.
PARTS = {
    "attention.qkv": "self_attn.q_proj self_attn.k_proj self_attn.v_proj",
    "attention.output": "self_attn.o_proj",
    "attention.query_norm": "self_attn.q_norm",
    "attention.key_norm": "self_attn.k_norm",
    "attention_norm": "input_layernorm",
    "mlp.up": "mlp.gate_proj mlp.up_proj",
    "mlp.down": "mlp.down_proj",
    "mlp_norm": "post_attention_layernorm",
}
RULES = decoder_rules(TABLES, "layers.{i}.", PARTS)


@dataclass(frozen=True)
class LlamaConfig(TransformerConfig):
    """Sizes and choices, named as everywhere in this project; `rotary_share` of each head is rotated."""

    positions: int = 2048
    activation: str = "silu"
    norm_eps: float = 1e-6
    tied: bool = False
    rope_base: float = PLAIN_BASE
    rope_scaling: Scaling | None = None
    rotary_share: float = 1.0
    qkv_bias: bool = False
    mlp_bias: bool = False

    @property
    def rotary(self) -> Rotary:
        """Rotary positions for the first share of each head."""
        assert self.d_head, "settled by the configuration"
        return Rotary(int(self.d_head * self.rotary_share), self.rope_base, self.rope_scaling)

    @property
    def design(self) -> Design:
        """RMSNorm, rotary positions, a gate."""
        return Design(
            rms=True,
            rotary=self.rotary,
            qkv_bias=self.qkv_bias,
            output_bias=self.qkv_bias,
            mlp_bias=self.mlp_bias,
            gated=True,
        )


def read_rotary(raw: dict[str, Any], share: float = 1.0) -> dict[str, Any]:
    """Base, scaling and share of rotary positions in a config.json; the share is this one by default."""
    base, scaling = read_rope(raw)
    parameters = raw.get("rope_parameters") or raw.get("rope_scaling") or {}
    share = float(parameters.get("partial_rotary_factor", raw.get("partial_rotary_factor", share)))
    if not 0 < share <= 1:
        raise FormatError(
            f"Its config.json rotates a share of {share:g} of each head, not one between 0 and 1.",
            "It may be damaged: fetch or copy the checkpoint again.",
        )
    more = {"rope_base": base, "rope_scaling": scaling, "rotary_share": share}
    return more | {"positions": scaling.original_positions} if isinstance(scaling, LongRope) else more


def register_variant(
    model_type: str,
    architecture: str,
    config: type[LlamaConfig],
    keys: Mapping[str, str] = WINDOW_KEYS,
    read_more: Callable[[dict[str, Any]], dict[str, Any]] = read_rotary,
    rules: tuple[Rule, ...] = RULES,
    prefix: str = "model.",
    **changes: Any,
) -> None:
    """Add an architecture with rotary positions whose files are like Llama's."""
    register_decoder(model_type, architecture, config, keys, rules, prefix, read_more=read_more, **changes)


register_variant("llama", "LlamaForCausalLM", LlamaConfig, KEYS)
