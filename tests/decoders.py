"""Tiny checkpoints of pre-norm Transformers with random weights, written by `transformers`.

Sizes are unlike each other wherever a family lets them be: heads wider than d_model / heads, keys that two
or three heads share, windows shorter than the texts.
"""

import copy
import json
from pathlib import Path
from typing import Any

import torch

from tests import tiny
from tests.encoders import Architecture

NOISE = 0.12  # the stream grows from layer to layer: with larger weights rounding would too
SIZES = {
    "vocab_size": tiny.GPT["vocab_size"], "hidden_size": 42, "num_hidden_layers": 3,
    "num_attention_heads": 6, "intermediate_size": 53, "max_position_embeddings": 307,
}  # fmt: skip
GROUPED = {"num_key_value_heads": 2, "head_dim": 10}
KINDS = ["full_attention", "sliding_attention", "sliding_attention"]
NEO = {
    "num_layers": 3,
    "num_heads": 6,
    "window_size": 4,
    "attention_types": [[["global", "local", "local"], 1]],
}
# 6 of a head's 14 numbers are turned.
NEOX = {"hidden_size": 70, "num_attention_heads": 5, "rope_parameters": {"partial_rotary_factor": 0.45}}
ROPE = {"rope_type": "default", "rope_theta": 700.0}
GEMMA2 = GROUPED | {"sliding_window": 4, "query_pre_attn_scalar": 23}
GEMMA2 |= {"attn_logit_softcapping": 0.7, "final_logit_softcapping": 1.3, "layer_types": KINDS}
GEMMA3 = GROUPED | {"sliding_window": 4, "query_pre_attn_scalar": 211, "layer_types": KINDS}
GEMMA3 |= {"rope_parameters": {"full_attention": ROPE, "sliding_attention": ROPE | {"rope_theta": 90.0}}}
PHI = {"hidden_size": 60, "rope_parameters": ROPE | {"partial_rotary_factor": 0.4}}
PHI3 = {"hidden_size": 60, "num_key_value_heads": 2, "sliding_window": 5, "pad_token_id": 0}
PHI3 |= {"rope_parameters": ROPE | {"partial_rotary_factor": 0.6}}
NOPE = GROUPED | {"no_rope_layers": [1, 0, 1], "pad_token_id": 0}
GRANITE = GROUPED | {"embedding_multiplier": 3.0, "residual_multiplier": 0.7}
GRANITE |= {"attention_multiplier": 0.19, "logits_scaling": 1.7}
GPTJ = {"n_embd": 84, "n_layer": 3, "n_head": 6, "n_inner": 53, "n_positions": 307, "rotary_dim": 6}
STABLE = PHI | {"num_key_value_heads": 2}
STARCODER = {"hidden_size": 60, "num_key_value_heads": 2, "sliding_window": 4}
FALCON = {"hidden_size": 60, "ffn_hidden_size": 53}
BIGCODE = {"n_embd": 42, "n_layer": 3, "n_head": 6, "n_inner": 53, "n_positions": 307}
MODERN = {"hidden_size": 70, "num_attention_heads": 5, "local_attention": 5, "layer_types": KINDS}
MODERN |= {"vocab_size": tiny.BERT["vocab_size"], "pad_token_id": 0}

DECODERS = {
    "llama": Architecture("Llama", "LlamaForCausalLM", GROUPED | {"num_key_value_heads": 3}),
    "mistral": Architecture("Mistral", "MistralForCausalLM", GROUPED | {"sliding_window": 4}),
    "qwen2": Architecture("Qwen2", "Qwen2ForCausalLM", GROUPED),
    "qwen3": Architecture("Qwen3", "Qwen3ForCausalLM", GROUPED | {"num_key_value_heads": 3}),
    "gpt_neox": Architecture("GPTNeoX", "GPTNeoXForCausalLM", NEOX),
    "gpt_neo": Architecture("GPTNeo", "GPTNeoForCausalLM", NEO),
    "gemma": Architecture("Gemma", "GemmaForCausalLM", GROUPED),
    "gemma2": Architecture("Gemma2", "Gemma2ForCausalLM", GEMMA2),
    "gemma3_text": Architecture("Gemma3Text", "Gemma3ForCausalLM", GEMMA3),
    "phi3": Architecture("Phi3", "Phi3ForCausalLM", PHI3),
    "smollm3": Architecture("SmolLM3", "SmolLM3ForCausalLM", NOPE),
    "olmo": Architecture("Olmo", "OlmoForCausalLM", GROUPED),
    "olmo2": Architecture("Olmo2", "Olmo2ForCausalLM", GROUPED),
    "granite": Architecture("Granite", "GraniteForCausalLM", GRANITE),
    "opt": Architecture("OPT", "OPTForCausalLM", {"ffn_dim": 53, "word_embed_proj_dim": 42}),
    "gptj": Architecture("GPTJ", "GPTJForCausalLM", GPTJ),
    "phi": Architecture("Phi", "PhiForCausalLM", PHI),
    "stablelm": Architecture("StableLm", "StableLmForCausalLM", STABLE),
    "starcoder2": Architecture("Starcoder2", "Starcoder2ForCausalLM", STARCODER),
    "cohere": Architecture("Cohere", "CohereForCausalLM", GROUPED | {"logit_scale": 0.3}),
    "falcon": Architecture("Falcon", "FalconForCausalLM", FALCON),
    "bloom": Architecture("Bloom", "BloomForCausalLM", {"n_layer": 3, "n_head": 6}),
    "gpt_bigcode": Architecture("GPTBigCode", "GPTBigCodeForCausalLM", BIGCODE),
}
MODERN_BERT = Architecture("ModernBert", "ModernBertForMaskedLM", MODERN)
ALL = DECODERS | {"modernbert": MODERN_BERT}


def write(
    model_type: str,
    folder: Path,
    head: str = "",
    dtype: torch.dtype = torch.float32,
    shard: str = "1GB",
    **changes: Any,
):
    """A checkpoint in `folder`, in files of `shard` at most; returns the model that wrote it, in float32."""
    import transformers

    architecture = ALL[model_type]
    sizes = SIZES | architecture.changes | changes
    config = getattr(transformers, f"{architecture.name}Config")(**sizes, attn_implementation="eager")
    model = tiny.shake(getattr(transformers, head or architecture.whole)(config), noise=NOISE)
    for weight in model.parameters():  # these alone: frequencies are float32 whatever the file's numbers are
        weight.data = weight.data.to(dtype).float()
    copy.deepcopy(model).to(dtype).save_pretrained(folder, max_shard_size=shard)
    (tiny.write_vocab if model_type == "modernbert" else tiny.write_merges)(folder)
    return model


def respell(folder: Path, drop: tuple[str, ...] = (), **older: Any) -> None:
    """Say something in config.json in the words that older versions of `transformers` wrote."""
    path = folder / "config.json"
    raw = {k: v for k, v in json.loads(path.read_text(encoding="utf-8")).items() if k not in drop}
    path.write_text(json.dumps(raw | older), encoding="utf-8")
