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

from explorer.models.family import Family, Rule, register
from explorer.models.naming import ONE_TEXT, affine
from explorer.models.rotary import PLAIN_BASE, RopeScaling, Rotary, read_rope, write_rope
from explorer.models.transformer import Design, Transformer, TransformerConfig
from explorer.trace import Ability

# config.json's words for our fields.
KEYS = ONE_TEXT | {
    "norm_eps": "rms_norm_eps",
    "kv_heads": "num_key_value_heads",
    "d_head": "head_dim",
    "qkv_bias": "attention_bias",
    "mlp_bias": "mlp_bias",
}
WINDOW_KEYS = KEYS | {"window": "sliding_window"}
ABILITIES = Ability.CONTEXT | Ability.ATTENTION | Ability.GENERATE


@dataclass(frozen=True)
class LlamaConfig(TransformerConfig):
    """Sizes and choices, named as everywhere in this project."""

    positions: int = 2048
    activation: str = "silu"
    norm_eps: float = 1e-6
    tied: bool = False
    rope_base: float = PLAIN_BASE
    rope_scaling: RopeScaling | None = None
    qkv_bias: bool = False
    mlp_bias: bool = False

    @property
    def design(self) -> Design:
        """RMSNorm, rotary positions, a gate."""
        assert self.d_head, "settled by the configuration"
        return Design(
            rms=True,
            rotary=Rotary(self.d_head, self.rope_base, self.rope_scaling),
            qkv_bias=self.qkv_bias,
            output_bias=self.qkv_bias,
            mlp_bias=self.mlp_bias,
            gated=True,
        )


def read_rotary(raw: dict[str, Any]) -> dict[str, Any]:
    """The base and the scaling of rotary positions in a config.json."""
    base, scaling = read_rope(raw)
    return {"rope_base": base, "rope_scaling": scaling}


def rules() -> tuple[Rule, ...]:
    """All parameters of Llama and its variants, as their files name them."""
    ours, theirs = "blocks.{i}.", "layers.{i}."
    return (
        Rule("tokens.weight", ("embed_tokens.weight",), by_column=True),  # also the output matrix
        Rule("decoder", ("lm_head.weight",), by_column=True),
        Rule("norm.weight", ("norm.weight",)),
        *affine(ours + "attention.qkv", *(f"{theirs}self_attn.{n}_proj" for n in "qkv")),
        *affine(ours + "attention.output", theirs + "self_attn.o_proj"),
        *affine(ours + "attention.query_norm", theirs + "self_attn.q_norm"),
        *affine(ours + "attention.key_norm", theirs + "self_attn.k_norm"),
        *affine(ours + "attention_norm", theirs + "input_layernorm"),
        *affine(ours + "mlp.up", theirs + "mlp.gate_proj", theirs + "mlp.up_proj"),
        *affine(ours + "mlp.down", theirs + "mlp.down_proj"),
        *affine(ours + "mlp_norm", theirs + "post_attention_layernorm"),
    )


def register_variant(
    model_type: str,
    architecture: str,
    config: type[LlamaConfig],
    keys: Mapping[str, str] = WINDOW_KEYS,
    read_more: Callable[[dict[str, Any]], dict[str, Any]] = read_rotary,
    write_more: Callable[[Any], dict[str, Any]] = lambda config: {},
    fixed: tuple[tuple[str, Any], ...] = (),
) -> None:
    """Add an architecture whose files are named as Llama's."""
    register(
        Family(
            model_type=model_type,
            architecture=architecture,
            config=config,
            read_more=read_more,
            write_more=lambda c: write_rope(c.rope_base, c.rope_scaling) | write_more(c),
            network=Transformer,
            rules=rules(),
            abilities=lambda heads: ABILITIES,
            prefixes=("model.",),
            ignored=(r"(layers\.\d+\.self_attn\.)?rotary_emb\.inv_freq",),
            other_heads=(r"score\.(weight|bias)", r"(classifier|qa_outputs)\.(weight|bias)"),
            fixed=fixed,
            tied=("lm_head.weight", "embed_tokens.weight"),
            keys=keys,
        )
    )


register_variant("llama", "LlamaForCausalLM", LlamaConfig, KEYS)
