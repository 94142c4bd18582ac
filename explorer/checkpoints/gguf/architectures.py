"""GGUF's words for each architecture's parameters and sizes, and the hub's.

The names are those of llama.cpp's `gguf-py/gguf/tensor_mapping.py` and `constants.py`, the layouts those of
its `convert_hf_to_gguf.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

GPT2_TABLES = {"token_embd": "wte", "position_embd": "wpe", "output_norm": "ln_f", "output": "lm_head"}
GPT2_PARTS = {
    "attn_norm": "ln_1",
    "attn_qkv": "attn.c_attn",
    "attn_output": "attn.c_proj",
    "ffn_norm": "ln_2",
    "ffn_up": "mlp.c_fc",
    "ffn_down": "mlp.c_proj",
}
TABLES = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
PARTS = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
HEAD_NORMS = {"attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm"}
NORMS_AFTER = {
    "post_attention_norm": "post_attention_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}
GEMMA2_PARTS = PARTS | NORMS_AFTER | {"ffn_norm": "pre_feedforward_layernorm"}
PHI2_TABLES = TABLES | {"output_norm": "model.final_layernorm"}
PHI2_PARTS = PARTS | {"attn_output": "self_attn.dense", "ffn_up": "mlp.fc1", "ffn_down": "mlp.fc2"}
PHI3_PARTS = PARTS | {"attn_qkv": "self_attn.qkv_proj", "ffn_up": "mlp.gate_up_proj"}
NEOX_PARTS = {
    "attn_norm": "input_layernorm",
    "attn_qkv": "attention.query_key_value",
    "attn_output": "attention.dense",
    "ffn_norm": "post_attention_layernorm",
    "ffn_up": "mlp.dense_h_to_4h",
    "ffn_down": "mlp.dense_4h_to_h",
}
NEOX_TABLES = {
    "token_embd": "gpt_neox.embed_in",
    "output_norm": "gpt_neox.final_layer_norm",
    "output": "embed_out",
}
BLOOM_PARTS = {ours: name.replace("attention.", "self_attention.", 1) for ours, name in NEOX_PARTS.items()}
FALCON_TABLES = {
    "token_embd": "transformer.word_embeddings",
    "output_norm": "transformer.ln_f",
    "output": "lm_head",
}
BLOOM_TABLES = FALCON_TABLES | {"token_embd_norm": "transformer.word_embeddings_layernorm"}
STARCODER2_PARTS = PARTS | {"ffn_up": "mlp.c_fc", "ffn_down": "mlp.c_proj"}

RMS = {"attention.layer_norm_rms_epsilon": "rms_norm_eps"}
LAYER = {"attention.layer_norm_epsilon": "layer_norm_eps"}
LAYER_EPSILON = {"attention.layer_norm_epsilon": "layer_norm_epsilon"}
PARALLEL = {"use_parallel_residual": "use_parallel_residual"}
FALCON_KEYS = LAYER_EPSILON | {
    "feed_forward_length": "ffn_hidden_size",
    "attention.head_count_kv": "num_kv_heads",
}
WINDOW = {"attention.sliding_window": "sliding_window"}
WINDOW_IN_TURN = WINDOW | {"attention.sliding_window_pattern": "sliding_window_pattern"}
LOCAL_BASE = {"rope.freq_base_swa": "rope_local_base_freq"}
CAPS = {key: key for key in ("attn_logit_softcapping", "final_logit_softcapping")}
GRANITE_KEYS = RMS | {
    "attention.scale": "attention_multiplier",
    "embedding_scale": "embedding_multiplier",
    "residual_scale": "residual_multiplier",
    "logit_scale": "logits_scaling",
}
SILU, GELU = {"hidden_act": "silu"}, {"hidden_activation": "gelu_pytorch_tanh"}
BIASES = {"attention_bias": "attn_q", "mlp_bias": "ffn_up"}


@dataclass(frozen=True)
class Architecture:
    """How a file holds an architecture that the hub calls `model_type`.

    `parts` maps the parameters of a layer, which the hub calls `layer`, and `tables` the others to the hub's;
    `keys` maps what a file says of its own to config.json's words, `fixed` is what it leaves out, and
    `biases` are words for whether a parameter has a bias. With `pairs`, numbers of a head that rotate
    together stand side by side in queries and keys, and not half a head apart; with `grouped`, all queries
    come first, then all keys and values, where the hub has them group by group; with `gains`, norms are
    stored with the 1 added that the hub leaves out.
    """

    model_type: str
    parts: Mapping[str, str] = field(default_factory=lambda: PARTS)
    keys: Mapping[str, str] = field(default_factory=lambda: RMS)
    fixed: Mapping[str, Any] = field(default_factory=lambda: SILU)
    biases: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=lambda: TABLES)
    layer: str = "model.layers.{i}."
    pairs: bool = False
    grouped: bool = False
    gains: bool = False


ARCHITECTURES = {
    "gpt2": Architecture("gpt2", GPT2_PARTS, tables=GPT2_TABLES, layer="h.{i}."),
    "llama": Architecture("llama", keys=RMS | WINDOW, biases=BIASES, pairs=True),
    "qwen2": Architecture("qwen2", keys=RMS | WINDOW),
    "qwen3": Architecture("qwen3", PARTS | HEAD_NORMS, RMS | WINDOW),
    "gemma": Architecture("gemma", fixed=GELU, gains=True),
    "gemma2": Architecture("gemma2", GEMMA2_PARTS, RMS | WINDOW_IN_TURN | CAPS, GELU, gains=True),
    "gemma3": Architecture(
        "gemma3_text", GEMMA2_PARTS | HEAD_NORMS, RMS | WINDOW_IN_TURN | LOCAL_BASE, GELU, gains=True
    ),
    "phi2": Architecture("phi", PHI2_PARTS, LAYER, {"hidden_act": "gelu_new"}, tables=PHI2_TABLES),
    "phi3": Architecture("phi3", PHI3_PARTS, RMS | WINDOW),
    "smollm3": Architecture("smollm3", biases=BIASES, pairs=True),
    "olmo2": Architecture("olmo2", PARTS | HEAD_NORMS | NORMS_AFTER),
    "granite": Architecture("granite", keys=GRANITE_KEYS, biases=BIASES, pairs=True),
    "stablelm": Architecture("stablelm", keys=LAYER | PARALLEL, biases={"use_qkv_bias": "attn_q"}),
    "starcoder2": Architecture(
        "starcoder2",
        STARCODER2_PARTS,
        {"attention.layer_norm_epsilon": "norm_epsilon"} | WINDOW,
        {"hidden_act": "gelu_pytorch_tanh"},
        {"use_bias": "attn_q"},
    ),
    "gptneox": Architecture(
        "gpt_neox",
        NEOX_PARTS,
        LAYER | PARALLEL,
        {"hidden_act": "gelu"},
        {"attention_bias": "attn_qkv"},
        NEOX_TABLES,
        "gpt_neox.layers.{i}.",
        grouped=True,
    ),
    "falcon": Architecture(
        "falcon",
        BLOOM_PARTS,
        FALCON_KEYS,
        {"activation": "gelu", "new_decoder_architecture": True, "num_ln_in_parallel_attn": 1},
        {"bias": "attn_qkv"},
        FALCON_TABLES,
        "transformer.h.{i}.",
        grouped=True,
    ),
    "bloom": Architecture(
        "bloom",
        BLOOM_PARTS,
        LAYER_EPSILON | {"context_length": "seq_length"},
        {},
        tables=BLOOM_TABLES,
        layer="transformer.h.{i}.",
        grouped=True,
    ),
    "command-r": Architecture("cohere", keys=LAYER | {"logit_scale": "logit_scale"}),
}
