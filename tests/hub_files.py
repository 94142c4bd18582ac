"""Our own networks written as the hub has them: random weights of any family that `explorer.load` reads."""

import json
from pathlib import Path
from typing import Any

from safetensors.torch import save_file
from torch import Tensor, nn

from explorer.checkpoints.rename import rules_of
from explorer.models import Family
from explorer.models.elmo import ElmoConfig
from explorer.models.encoder import Encoder
from explorer.models.layers import Stacked
from explorer.models.llama import LlamaConfig
from explorer.tokenizers.characters import CHARACTERS

# The hub writes these beside the model's prefix, not under it.
HEADS = (
    "cls.", "lm_head.", "final_logits_bias", "vocab_", "predictions.", "sop_classifier.", "generator_",
    "discriminator_", "embed_out.", "head.", "decoder.weight", "decoder.bias",
)  # fmt: skip
START = {"bos_token_id": 0, "eos_token_id": 0}


def write_model(folder: Path, network: nn.Module, family: Family) -> None:
    """Write config.json and model.safetensors (float16)."""
    folder.mkdir(parents=True, exist_ok=True)
    config = json.dumps(config_of(network, family), indent=2)
    (folder / "config.json").write_text(config + "\n", encoding="utf-8")
    save_file(to_hub(network, family), folder / "model.safetensors", metadata={"format": "pt"})


def to_hub(network: nn.Module, family: Family) -> dict[str, Tensor]:
    """A network's tensors under the hub's names, in float16, with the hub's prefix."""
    state = network.state_dict()
    tensors = {}
    for ours, rule, i in rules_of(family, state):
        tensor = state[ours].T if rule.transpose else state[ours]
        if rule.rows is not None:
            tensor = tensor[rule.rows(network.config).argsort()]
        tensor = tensor - rule.plus if rule.plus else tensor
        module, count = network.get_submodule(ours.rpartition(".")[0]), len(rule.theirs)
        widths = (
            module.widths if isinstance(module, Stacked) and count > 1 else [len(tensor) // count] * count
        )
        for theirs, piece in zip(rule.theirs, tensor.split(widths), strict=True):
            prefix = family.prefixes[0] if family.prefixes and not theirs.startswith(HEADS) else ""
            tensors[prefix + theirs.format(i=i)] = piece.detach().half().contiguous().cpu()
    return tensors


def config_of(network: Any, family: Family) -> dict[str, Any]:
    """A network's sizes as config.json."""
    config = network.config
    if isinstance(config, ElmoConfig):
        return elmo(config)
    plain = {key: getattr(config, name) for name, key in family.keys.items()}
    if not getattr(config, "causal", True):
        plain["is_causal"] = False
    if isinstance(config, LlamaConfig):
        plain |= {"rope_theta": config.rope_base, "partial_rotary_factor": config.rotary_share}
    if isinstance(network, Encoder):
        plain["pad_token_id"] = 0
    more = MORE.get(family.model_type, lambda config: {})(config)
    architecture = family.architecture
    if getattr(network, "discriminator_head", None) is not None:
        architecture = "ElectraForPreTraining"
    architectures = {"architectures": [architecture]} if architecture else {}
    return {"model_type": family.model_type} | architectures | plain | more


def kinds(config: Any, local: str = "sliding_attention", other: str = "full_attention") -> list[str]:
    """The kind of each layer."""
    return [local if window else other for window in config.local or (False,) * config.layers]


def windows(config: Any) -> dict[str, Any]:
    """Qwen's windows, in the upper layers."""
    if config.local is None:
        return {"use_sliding_window": False}
    first = config.local.index(True)
    return {"use_sliding_window": True, "max_window_layers": first, "layer_types": kinds(config)}


def rows_before(config: Any) -> dict[str, Any]:
    """RoBERTa's positions begin after the padding."""
    rows = config.positions + config.first
    return {"max_position_embeddings": rows, "pad_token_id": config.first - 1}


def elmo(config: ElmoConfig) -> dict[str, Any]:
    """ELMo's sizes, in the words of bilm-tf's options."""
    return {
        "model_type": "elmo",
        "vocab_size": config.d_vocab,
        "hidden_size": config.d_model,
        "num_hidden_layers": config.layers,
        "max_position_embeddings": config.positions,
        "lstm": {
            "projection_dim": config.d_half,
            "dim": config.d_hidden,
            "n_layers": config.layers,
            "use_skip_connections": config.skip,
            "cell_clip": config.cell_clip,
            "proj_clip": config.half_clip,
        },
        "char_cnn": {
            "embedding": {"dim": config.d_char},
            "filters": [list(f) for f in config.filters],
            "n_highway": config.highways,
            "n_characters": CHARACTERS,
            "max_characters_per_token": config.characters,
            "activation": config.activation,
        },
    }


# What has another form in config.json than in our configuration, by family.
MORE = {
    "bloom": lambda c: {"seq_length": c.positions},
    "camembert": rows_before,
    "ernie": lambda c: {"use_task_id": bool(c.tasks), "task_type_vocab_size": c.tasks or 3},
    "falcon": lambda c: {
        "new_decoder_architecture": True,
        "num_kv_heads": c.kv_heads,
        "num_ln_in_parallel_attn": 1,
        "alibi": False,
    },
    "gemma2": lambda c: {"layer_types": kinds(c)},
    "gemma3_text": lambda c: {"layer_types": kinds(c), "rope_local_base_freq": c.local_base},
    "gpt2": lambda c: START | {"n_ctx": c.positions},
    "gpt_bigcode": lambda c: {"multi_query": True},
    "gpt_neo": lambda c: START | {"attention_layers": kinds(c, "local", "global")},
    "gpt_neox": lambda c: {"rotary_emb_base": c.rope_base, "rotary_pct": c.rotary_share},
    "gptj": lambda c: {"rotary_dim": c.rotary.dims},
    "marian": lambda c: {
        "decoder_vocab_size": c.d_vocab,
        "tie_word_embeddings": True,
        "share_encoder_decoder_embeddings": True,
        "eos_token_id": 0,
        "forced_eos_token_id": 0,
    },
    "modernbert": lambda c: {
        "local_attention": 2 * c.reach,
        "layer_types": kinds(c),
        "global_rope_theta": c.rope_base,
        "local_rope_theta": c.local_base,
        "pad_token_id": 0,
    },
    "mpnet": rows_before,
    "opt": lambda c: {"word_embed_proj_dim": c.d_model},
    "phi3": lambda c: {"pad_token_id": 0},
    "qwen2": windows,
    "qwen3": windows,
    "roberta": rows_before,
    "smollm3": lambda c: {
        "no_rope_layers": [int(rotated) for rotated in c.rotated or (True,) * c.layers],
        "pad_token_id": 0,
    },
    "xlm-roberta": rows_before,
}
