"""Marian's checkpoints: config.json, and where the files of OPUS-MT keep each parameter of `marian.py`."""

from typing import Any

from explorer.errors import FormatError
from explorer.models.family import Family, Rule, register
from explorer.models.marian import Marian, MarianConfig
from explorer.trace import Ability


def _read_config(raw: dict[str, Any]) -> MarianConfig:
    last = raw["vocab_size"] - 1  # padding and start in the checkpoints of OPUS-MT
    padding, start = raw.get("pad_token_id"), raw.get("decoder_start_token_id")
    config = MarianConfig(
        d_vocab=raw["vocab_size"],
        padding=last if padding is None else padding,
        start=last if start is None else start,
        d_model=raw["d_model"],
        layers=raw["encoder_layers"],
        heads=raw["encoder_attention_heads"],
        d_mlp=raw["encoder_ffn_dim"],
        decoder_layers=raw["decoder_layers"],
        decoder_heads=raw["decoder_attention_heads"],
        d_decoder_mlp=raw["decoder_ffn_dim"],
        positions=raw.get("max_position_embeddings", 1024),
        activation=raw.get("activation_function", "gelu"),
        scaled=raw.get("scale_embedding", False),
    )
    for key, id in (("pad_token_id", config.padding), ("decoder_start_token_id", config.start)):
        if id >= config.d_vocab:
            raise FormatError(
                f"config.json gives {key} as {id}, of a vocabulary of {config.d_vocab}.",
                "It may be damaged: fetch or copy the checkpoint again.",
            )
    return config


def _write_config(config: MarianConfig) -> dict[str, Any]:
    return {
        "model_type": "marian",
        "architectures": ["MarianMTModel"],
        "vocab_size": config.d_vocab,
        "decoder_vocab_size": config.d_vocab,
        "d_model": config.d_model,
        "encoder_layers": config.layers,
        "encoder_attention_heads": config.heads,
        "encoder_ffn_dim": config.d_mlp,
        "decoder_layers": config.decoder_layers,
        "decoder_attention_heads": config.decoder_heads,
        "decoder_ffn_dim": config.d_decoder_mlp,
        "max_position_embeddings": config.positions,
        "activation_function": config.activation,
        "scale_embedding": config.scaled,
        "tie_word_embeddings": True,
        "share_encoder_decoder_embeddings": True,
        "pad_token_id": config.padding,
        "decoder_start_token_id": config.start,
        "eos_token_id": 0,
        "forced_eos_token_id": 0,
    }


def _rules() -> tuple[Rule, ...]:
    rules = [Rule("tokens.weight", ("shared.weight",)), Rule("bias", ("final_logits_bias",))]
    stacks = {"blocks": "encoder.layers.{i}.", "decoder": "decoder.layers.{i}."}
    linear = {
        "attention.qkv": tuple(f"self_attn.{n}_proj" for n in "qkv"),
        "attention.output": ("self_attn.out_proj",),
        "attention_norm": ("self_attn_layer_norm",),
        "mlp.up": ("fc1",),
        "mlp.down": ("fc2",),
        "mlp_norm": ("final_layer_norm",),
    }
    crossing = {
        "cross.queries": ("encoder_attn.q_proj",),
        "cross.kv": tuple(f"encoder_attn.{n}_proj" for n in "kv"),
        "cross.output": ("encoder_attn.out_proj",),
        "cross_norm": ("encoder_attn_layer_norm",),
    }
    for stack, theirs in stacks.items():
        for ours, names in (linear | (crossing if stack == "decoder" else {})).items():
            for kind in ("weight", "bias"):
                whole = tuple(f"{theirs}{name}.{kind}" for name in names)
                rules.append(Rule(f"{stack}.{{i}}.{ours}.{kind}", whole))
    return tuple(rules)


register(
    Family(
        model_type="marian",
        config=MarianConfig,
        read_config=_read_config,
        write_config=_write_config,
        network=Marian,
        rules=_rules(),
        abilities=lambda heads: Ability.CONTEXT | Ability.ATTENTION | Ability.TRANSLATE,
        prefixes=("model.",),
        # One matrix under four names; a file has at least one.
        renames=(
            ("encoder.embed_tokens.weight", "shared.weight"),
            ("decoder.embed_tokens.weight", "shared.weight"),
        ),
        ignored=(r"(en|de)coder\.embed_positions\.weight",),
        fixed=(
            ("share_encoder_decoder_embeddings", True),
            ("tie_word_embeddings", True),
            ("eos_token_id", 0),
        ),
        tied=("lm_head.weight", "shared.weight"),
        keys={
            "d_vocab": "vocab_size",
            "layers": "encoder_layers",
            "heads": "encoder_attention_heads",
            "d_mlp": "encoder_ffn_dim",
            "decoder_heads": "decoder_attention_heads",
            "d_decoder_mlp": "decoder_ffn_dim",
            "positions": "max_position_embeddings",
            "activation": "activation_function",
            "scaled": "scale_embedding",
            "padding": "pad_token_id",
            "start": "decoder_start_token_id",
        },
    )
)
