"""A GGUF file's metadata as the config.json that the hub has for the same model."""

from typing import Any

from explorer.checkpoints.gguf.header import Header
from explorer.checkpoints.gguf.names import NAMES
from explorer.errors import FormatError

# What a file may ask for and the plain architectures do not compute; 0 or no asks for nothing.
VARIANTS = (
    "expert_count",
    "attention.clamp_kqv",
    "attention.max_alibi_bias",
    "attention.scale",
    "embedding_scale",
    "logit_scale",
    "residual_scale",
)


def architecture_of(header: Header) -> str:
    """The architecture, by the file's own word. Raises FormatError for one that is not read."""
    architecture = header.get("general.architecture", str)
    if architecture not in NAMES:
        raise FormatError(
            f"{header.name} is a “{architecture:.60}” model, which Riverbank does not read from a GGUF file.",
            f"It reads these: {', '.join(NAMES)}.",
        )
    for key in VARIANTS:
        if header.metadata.get(f"{architecture}.{key}"):
            raise FormatError(
                f"{header.name} sets {architecture}.{key}, a variant that Riverbank does not compute.",
                "Choose a file of the plain architecture.",
            )
    if not header.get(f"{architecture}.attention.causal", bool, True):
        raise FormatError(
            f"{header.name} reads a text in both directions ({architecture}.attention.causal is false).",
            "Riverbank reads this architecture from left to right: choose a file of a model that writes.",
        )
    return architecture


def hub_config(header: Header) -> dict[str, Any]:
    """What config.json would say. Raises FormatError for a missing key, or one of another type."""
    architecture = architecture_of(header)
    own = _gpt2(header) if architecture == "gpt2" else _rotary(header, architecture)
    ids = {
        f"{name}_token_id": header.get(f"tokenizer.ggml.{name}_token_id", int)
        for name in ("bos", "eos")
        if f"tokenizer.ggml.{name}_token_id" in header.metadata
    }
    tokens = header.get("tokenizer.ggml.tokens", list)
    return {
        "vocab_size": header.get(f"{architecture}.vocab_size", int, len(tokens)),
        **own,
        **ids,
        "tie_word_embeddings": "output.weight" not in header.tensors,
    }


def _gpt2(header: Header) -> dict[str, Any]:
    """GPT-2's own words."""
    return {
        "model_type": "gpt2",
        "n_embd": header.get("gpt2.embedding_length", int),
        "n_layer": header.get("gpt2.block_count", int),
        "n_head": header.get("gpt2.attention.head_count", int),
        "n_inner": header.get("gpt2.feed_forward_length", int),
        "n_positions": header.get("gpt2.context_length", int),
        "layer_norm_epsilon": _short(header.get("gpt2.attention.layer_norm_epsilon", float)),
    }


def _rotary(header: Header, architecture: str) -> dict[str, Any]:
    """The configuration of Llama and its variants; a window tells Mistral, also called a llama, apart."""

    def own(key: str) -> str:
        return f"{architecture}.{key}"

    heads = header.get(own("attention.head_count"), int)
    width = header.get(own("embedding_length"), int)
    config = {
        "model_type": architecture,
        "hidden_size": width,
        "num_hidden_layers": header.get(own("block_count"), int),
        "num_attention_heads": heads,
        "num_key_value_heads": header.get(own("attention.head_count_kv"), int, heads),
        "intermediate_size": header.get(own("feed_forward_length"), int),
        "max_position_embeddings": header.get(own("context_length"), int),
        "rms_norm_eps": _short(header.get(own("attention.layer_norm_rms_epsilon"), float)),
        "rope_theta": _short(header.get(own("rope.freq_base"), float, 10_000.0)),
        "hidden_act": "silu",
    }
    if own("attention.key_length") in header.metadata:
        config["head_dim"] = header.get(own("attention.key_length"), int)
    head = config.get("head_dim") or (width // heads if heads > 0 else 0)
    for key in ("rope.dimension_count", "attention.value_length"):
        if header.get(own(key), int, head) != head:
            raise FormatError(
                f"{header.name} gives {own(key)} as {header.metadata[own(key)]}, and a head {head} numbers.",
                "It is a variant that Riverbank does not compute: choose another file.",
            )
    if scaling := _scaling(header, architecture):
        config["rope_scaling"] = scaling
    if architecture == "llama":
        config["attention_bias"] = "blk.0.attn_q.bias" in header.tensors
        config["mlp_bias"] = "blk.0.ffn_up.bias" in header.tensors
    if window := header.get(own("attention.sliding_window"), int, 0):
        config |= {"sliding_window": window, "use_sliding_window": True}
        config["model_type"] = "mistral" if architecture == "llama" else architecture
    return config


def _scaling(header: Header, architecture: str) -> dict[str, Any] | None:
    """How positions are stretched, where they are; config.json calls it `rope_scaling`."""
    begin = f"{architecture}.rope.scaling."
    # Files of 2023 name no type, which is then linear, and some the factor alone, by its older key.
    factor = header.get(f"{begin}factor", float, header.get(f"{architecture}.rope.scale_linear", float, 0.0))
    kind = header.get(f"{begin}type", str, "linear" if factor else "none")
    if kind == "none":
        return None
    scaling: dict[str, Any] = {"rope_type": kind, "factor": _short(factor)}
    if f"{begin}original_context_length" in header.metadata:
        length = header.get(f"{begin}original_context_length", int)
        scaling["original_max_position_embeddings"] = length
    return scaling


def _short(number: float) -> float:
    """A float32 as people write it.

    >>> _short(9.999999747378752e-06)
    1e-05
    """
    return float(f"{number:.7g}")
