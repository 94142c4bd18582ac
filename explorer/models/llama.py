"""Llama: the design of most language models since 2023, read left to right.

Papers: Touvron et al., "LLaMA: Open and Efficient Foundation Language Models" (2023), section 2.2;
"Llama 2" (2023) for grouped keys; Grattafiori et al., "The Llama 3 Herd of Models" (2024) for the scaling
of positions. Reference code: meta-llama/llama3, llama/model.py. SmolLM2 (Ben Allal et al. 2025) is one.

What differs from GPT-2: RMSNorm instead of LayerNorm; no biases; positions by rotating queries and keys
(`rotary`) instead of a learnt table; several queries share a key and a value; an MLP with a gate and SiLU.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from explorer.models.family import Family, Rule, register
from explorer.models.naming import NEEDED, ONE_TEXT
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
    "window": "sliding_window",
}
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


class Llama(Transformer):
    """The decoder; its head is the embedding matrix if the checkpoint ties the two."""


Config = TypeVar("Config", bound=LlamaConfig)


def sizes(config: type[Config], raw: dict[str, Any], **more: Any) -> Config:
    """The configuration in a config.json. Raises KeyError for a missing size."""
    own = config.__dataclass_fields__
    values = {
        name: raw[key]
        for name, key in KEYS.items()
        if name in own and (name in NEEDED or raw.get(key) is not None)
    }
    base, scaling = read_rope(raw)
    return config(**values, rope_base=base, rope_scaling=scaling, **more)


def to_config(config: LlamaConfig, model_type: str, architecture: str) -> dict[str, Any]:
    """A configuration as a config.json."""
    values = {key: getattr(config, name) for name, key in KEYS.items() if hasattr(config, name)}
    rope = write_rope(config.rope_base, config.rope_scaling)
    return {"model_type": model_type, "architectures": [architecture], **values, **rope}


def rules() -> tuple[Rule, ...]:
    """All parameters of Llama and its variants, as their files name them."""
    ours, theirs = "blocks.{i}.", "layers.{i}."
    names = {
        "attention.qkv": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
        "attention.output": ("self_attn.o_proj",),
        "attention.query_norm": ("self_attn.q_norm",),
        "attention.key_norm": ("self_attn.k_norm",),
        "attention_norm": ("input_layernorm",),
        "mlp.up": ("mlp.gate_proj", "mlp.up_proj"),
        "mlp.down": ("mlp.down_proj",),
        "mlp_norm": ("post_attention_layernorm",),
    }
    layers = (
        Rule(f"{ours}{our}.{kind}", tuple(f"{theirs}{name}.{kind}" for name in hub_names))
        for our, hub_names in names.items()
        for kind in ("weight", "bias")
    )
    return (
        Rule("tokens.weight", ("embed_tokens.weight",), by_column=True),  # also the output matrix
        Rule("decoder", ("lm_head.weight",), by_column=True),
        Rule("norm.weight", ("norm.weight",)),
        *layers,
    )


def register_variant(
    model_type: str,
    architecture: str,
    config: type[LlamaConfig],
    network: type[Transformer],
    read_config: Callable[[dict[str, Any]], LlamaConfig],
    write_more: Callable[[Any], dict[str, Any]] = lambda config: {},
    fixed: tuple[tuple[str, Any], ...] = (),
) -> None:
    """Add an architecture whose files are named as Llama's."""
    register(
        Family(
            model_type=model_type,
            config=config,
            read_config=read_config,
            write_config=lambda c: to_config(c, model_type, architecture) | write_more(c),
            network=network,
            rules=rules(),
            abilities=lambda heads: ABILITIES,
            prefixes=("model.",),
            ignored=(r"(layers\.\d+\.self_attn\.)?rotary_emb\.inv_freq",),
            other_heads=(r"score\.(weight|bias)", r"(classifier|qa_outputs)\.(weight|bias)"),
            fixed=fixed,
            tied=("lm_head.weight", "embed_tokens.weight"),
            keys=KEYS,
        )
    )


register_variant("llama", "LlamaForCausalLM", LlamaConfig, Llama, lambda raw: sizes(LlamaConfig, raw))
