"""Marian's checkpoints: config.json, and where the files of OPUS-MT keep each parameter of `marian.py`."""

from typing import Any

from explorer.errors import FormatError
from explorer.models.family import Family, Rule, register
from explorer.models.marian import Marian, MarianConfig
from explorer.models.naming import affine
from explorer.trace import Ability

KEYS = {
    "d_vocab": "vocab_size",
    "d_model": "d_model",
    "layers": "encoder_layers",
    "heads": "encoder_attention_heads",
    "d_mlp": "encoder_ffn_dim",
    "decoder_layers": "decoder_layers",
    "decoder_heads": "decoder_attention_heads",
    "d_decoder_mlp": "decoder_ffn_dim",
    "positions": "max_position_embeddings",
    "activation": "activation_function",
    "scaled": "scale_embedding",
    "padding": "pad_token_id",
    "start": "decoder_start_token_id",
}
# What a key means that a file leaves out, as in `transformers`.
DEFAULTS = {"positions": 1024, "activation": "gelu", "scaled": False}


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    more = {name: raw.get(KEYS[name], default) for name, default in DEFAULTS.items()}
    for name in ("padding", "start"):
        id = raw.get(KEYS[name])
        more[name] = raw["vocab_size"] - 1 if id is None else id  # the last one in the checkpoints of OPUS-MT
        if more[name] >= raw["vocab_size"]:
            raise FormatError(
                f"config.json gives {KEYS[name]} as {id}, of a vocabulary of {raw['vocab_size']}.",
                "It may be damaged: fetch or copy the checkpoint again.",
            )
    return more


def _rules() -> tuple[Rule, ...]:
    rules = [Rule("tokens.weight", ("shared.weight",)), Rule("bias", ("final_logits_bias",))]
    for ours, theirs in (("blocks.{i}.", "encoder.layers.{i}."), ("decoder.{i}.", "decoder.layers.{i}.")):
        rules += [
            *affine(ours + "attention.qkv", *(f"{theirs}self_attn.{n}_proj" for n in "qkv")),
            *affine(ours + "attention.output", theirs + "self_attn.out_proj"),
            *affine(ours + "attention_norm", theirs + "self_attn_layer_norm"),
            *affine(ours + "mlp.up", theirs + "fc1"),
            *affine(ours + "mlp.down", theirs + "fc2"),
            *affine(ours + "mlp_norm", theirs + "final_layer_norm"),
        ]
    return (
        *rules,
        *affine(ours + "cross.queries", theirs + "encoder_attn.q_proj"),
        *affine(ours + "cross.kv", *(f"{theirs}encoder_attn.{n}_proj" for n in "kv")),
        *affine(ours + "cross.output", theirs + "encoder_attn.out_proj"),
        *affine(ours + "cross_norm", theirs + "encoder_attn_layer_norm"),
    )


register(
    Family(
        model_type="marian",
        architecture="MarianMTModel",
        config=MarianConfig,
        read_more=_read_more,
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
        keys=KEYS,
    )
)
