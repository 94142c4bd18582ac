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
    "vocab_size": tiny.GPT["vocab_size"],
    "hidden_size": 42,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "intermediate_size": 53,
    "max_position_embeddings": 307,
}
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
MODERN = {"hidden_size": 70, "num_attention_heads": 5, "local_attention": 5, "layer_types": KINDS}
MODERN |= {"vocab_size": tiny.BERT["vocab_size"], "pad_token_id": 0}

DECODERS = {
    "llama": Architecture("Llama", "LlamaForCausalLM", GROUPED | {"num_key_value_heads": 3}),
    "mistral": Architecture("Mistral", "MistralForCausalLM", GROUPED | {"sliding_window": 4}),
    "qwen2": Architecture("Qwen2", "Qwen2ForCausalLM", GROUPED),
    "qwen3": Architecture("Qwen3", "Qwen3ForCausalLM", GROUPED | {"num_key_value_heads": 3}),
    "gpt_neox": Architecture("GPTNeoX", "GPTNeoXForCausalLM", NEOX),
    "gpt_neo": Architecture("GPTNeo", "GPTNeoForCausalLM", NEO),
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
