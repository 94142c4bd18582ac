"""Small GGUF files, written by the package `gguf` from models of `transformers` as llama.cpp does it."""

import json
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from torch import Tensor

from tests import decoders, tiny

# Sizes are different primes, times the heads where it must be.
LLAMA = {
    "vocab_size": 293, "hidden_size": 70, "num_hidden_layers": 3, "num_attention_heads": 5,
    "num_key_value_heads": 5, "intermediate_size": 53, "max_position_embeddings": 67, "rms_norm_eps": 1e-5,
    "rope_theta": 30_011.0, "bos_token_id": 292, "eos_token_id": 292, "tie_word_embeddings": True,
}  # fmt: skip
CHANGES: dict[str, dict[str, Any]] = {
    "llama": {"num_key_value_heads": 1, "attention_bias": False},
    "qwen2": {"tie_word_embeddings": False},
    "qwen3": {"head_dim": 22, "num_key_value_heads": 1},
}
HUB_TYPES = {"gemma3": "gemma3_text", "phi2": "phi", "command-r": "cohere", "gptneox": "gpt_neox"}
# Files do not say which layers are local or rotate, and not how far the local ones.
PLAIN = {"layer_types": None, "query_pre_attn_scalar": 10}
BASES = {
    kind: {"rope_type": "default", "rope_theta": base}
    for kind, base in (("full", 30_011.0), ("sliding", 1e4))
}
USUAL = {
    "gemma2": PLAIN,
    "gemma3": PLAIN
    | {
        "num_hidden_layers": 7,
        "rope_parameters": {f"{kind}_attention": base for kind, base in BASES.items()},
    },
    "bloom": {"seq_length": 307},
    "gptneox": {"rope_parameters": {"rope_theta": 900.0, "partial_rotary_factor": 3 / 7}},
    "smollm3": {"no_rope_layers": None, "num_hidden_layers": 5, "bos_token_id": None, "eos_token_id": None},
}
# llama.cpp's words for what config.json says; the first that a configuration has counts.
OWN_KEYS = {
    "attention.layer_norm_rms_epsilon": "rms_norm_eps",
    "attention.layer_norm_epsilon": "layer_norm_eps norm_epsilon layer_norm_epsilon",
    "attention.key_length": "head_dim", "attention.value_length": "head_dim",
    "attention.sliding_window": "sliding_window", "attn_logit_softcapping": "attn_logit_softcapping",
    "final_logit_softcapping": "final_logit_softcapping", "attention.scale": "attention_multiplier",
    "embedding_scale": "embedding_multiplier", "residual_scale": "residual_multiplier",
    "logit_scale": "logits_scaling logit_scale", "use_parallel_residual": "use_parallel_residual",
}  # fmt: skip
CONV1D = ("attn_qkv.weight", "attn_output.weight", "ffn_up.weight", "ffn_down.weight")
LAST_BYTES = {"Q2_K": 4, "Q3_K": 2, "Q6_K": 2, "TQ1_0": 2, "TQ2_0": 2, "IQ1_M": 8}
PERMUTED = ("llama", "granite", "smollm3")
GROUPED = ("gptneox", "falcon", "bloom")
START = tiny.GPT["bos_token_id"]


def model(architecture: str, **changes: Any) -> Any:
    """A tiny model of an architecture, by `transformers`."""
    import transformers

    kind = HUB_TYPES.get(architecture, architecture)
    sizes = tiny.GPT if architecture == "gpt2" else LLAMA | CHANGES.get(architecture, {})
    if kind not in CHANGES and architecture != "gpt2":
        sizes = decoders.SIZES | decoders.ALL[kind].changes | USUAL.get(architecture, {})
    config = transformers.AutoConfig.for_model(kind, **(sizes | changes))
    return tiny.shake(transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager"))


def vocabulary(folder: Path) -> dict[str, Any]:
    """The metadata of the tokenizer that `tiny.write_merges` writes."""
    folder.mkdir(parents=True, exist_ok=True)
    tiny.write_merges(folder)
    ids = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    merges = (folder / "merges.txt").read_text(encoding="utf-8").splitlines()[1:]
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": sorted(ids, key=ids.__getitem__),
        "tokenizer.ggml.token_type": [3 if token == "<|endoftext|>" else 1 for token in ids],
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.bos_token_id": START,
        "tokenizer.ggml.eos_token_id": START,
    }


def vocabulary_of(folder: Path, pre: str) -> dict[str, Any]:
    """What llama.cpp writes of a folder's tokenizer.json, whose start and end tokens its settings name."""
    content, settings = (
        json.loads((folder / name).read_text(encoding="utf-8"))
        for name in ("tokenizer.json", "tokenizer_config.json")
    )
    ids, merges = content["model"]["vocab"], [" ".join(pair) for pair in content["model"]["merges"]]
    ids = ids | {token["content"]: token["id"] for token in content["added_tokens"]}
    tokens = sorted(ids, key=ids.__getitem__)
    special = {token["content"] for token in content["added_tokens"] if token["special"]}
    kinds = [3 if token in special else 1 for token in tokens]
    ends = {f"{role}_token": settings.get(f"{role}_token") for role in ("bos", "eos")}
    keys = {f"{role}_id": ids[token] for role, token in ends.items() if token}
    if not content["model"]["byte_fallback"]:
        keys |= {"model": "gpt2", "pre": pre, "merges": merges}
    else:
        ranks = {pair.replace(" ", ""): -float(rank) for rank, pair in enumerate(merges)}
        keys |= {"model": "llama", "scores": [ranks.get(token, -1e4) for token in tokens]}
        kinds = [
            6 if token.startswith("<0x") else 2 if token == "<unk>" else k for token, k in zip(tokens, kinds)
        ]
    keys |= {"tokens": tokens, "token_type": kinds}
    return {f"tokenizer.ggml.{key}": value for key, value in keys.items()}


def metadata(architecture: str, config: Any) -> dict[str, Any]:
    """What llama.cpp writes of a configuration."""
    if architecture == "gpt2":
        keys = {
            "embedding_length": config.n_embd,
            "block_count": config.n_layer,
            "attention.head_count": config.n_head,
            "feed_forward_length": config.n_inner,
            "context_length": config.n_positions,
            "attention.layer_norm_epsilon": config.layer_norm_epsilon,
        }
    else:
        keys = {
            "embedding_length": config.hidden_size,
            "block_count": config.num_hidden_layers,
            "attention.head_count": config.num_attention_heads,
            "attention.head_count_kv": key_heads(config),
            "feed_forward_length": feed_forward(config),
            "context_length": getattr(config, "max_position_embeddings", 2048),
            "rope.freq_base": rope(config).get("rope_theta"),
        }
        for key, words in OWN_KEYS.items():
            values = [getattr(config, word, None) for word in words.split()]
            keys[key] = next((value for value in values if value is not None), None)
        head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        keys["rope.dimension_count"] = int(head * rope(config).get("partial_rotary_factor", 1.0))
    return {f"{architecture}.{key}": value for key, value in keys.items()}


def rope(config: Any) -> dict[str, Any]:
    """What a configuration says of rotary positions; of Gemma 3's global layers."""
    parameters = getattr(config, "rope_parameters", None) or {}
    return parameters.get("full_attention", parameters)


def key_heads(config: Any) -> int:
    """How many keys there are; the older words of Falcon say it with a switch."""
    if hasattr(config, "multi_query"):
        return 1 if config.multi_query else config.num_attention_heads
    return getattr(config, "num_key_value_heads", config.num_attention_heads)


def feed_forward(config: Any) -> int:
    """How wide the MLP is."""
    wide = getattr(config, "ffn_hidden_size", None) or getattr(config, "intermediate_size", None)
    return wide or 4 * config.hidden_size


def tensors(architecture: str, model: Any) -> dict[str, Tensor]:
    """A model's parameters under llama.cpp's names, turned as llama.cpp turns them."""
    config = model.config
    arch = next(arch for arch, name in gguf.MODEL_ARCH_NAMES.items() if name == architecture)
    names = gguf.get_tensor_name_map(arch, config.num_hidden_layers)
    written, suffixes = {}, (".weight", ".bias")
    for name, tensor in model.state_dict().items():
        if name == "lm_head.weight" and config.tie_word_embeddings:
            continue
        theirs = names.get_name(name, suffixes) or names.get_name(name.removeprefix("transformer."), suffixes)
        if architecture.startswith("gemma") and "norm" in theirs:
            tensor = tensor + 1
        if architecture == "gpt2" and theirs.endswith(CONV1D):
            tensor = tensor.T
        if architecture in PERMUTED and ".attn_q." in theirs:
            tensor = permuted(tensor, config.num_attention_heads)
        if architecture in PERMUTED and ".attn_k." in theirs:
            tensor = permuted(tensor, config.num_key_value_heads)
        if architecture in GROUPED and "attn_qkv" in theirs:
            tensor = apart(tensor, config.num_attention_heads, key_heads(config))
        written[theirs] = tensor.contiguous()
    return written


def permuted(tensor: Tensor, heads: int) -> Tensor:
    """LlamaModel.permute of llama.cpp's convert_hf_to_gguf.py."""
    halves = tensor.reshape(heads, 2, len(tensor) // heads // 2, *tensor.shape[1:])
    return halves.swapaxes(1, 2).reshape(tensor.shape)


def apart(tensor: Tensor, heads: int, shared: int) -> Tensor:
    """All queries, then all keys, then all values, as llama.cpp's converters of fused matrices lay them."""
    rows = tensor.view(shared, heads // shared + 2, -1, *tensor.shape[1:])
    return torch.cat(
        [part.reshape(-1, *tensor.shape[1:]) for part in (rows[:, :-2], rows[:, -2], rows[:, -1])]
    )


def write(path: Path, keys: dict[str, Any], numbers: dict[str, Any]) -> Path:
    """A GGUF file of metadata and tensors. A key that is None is left out.

    A tensor is torch's, or NumPy bytes with the type that they are of: (bytes, type).
    """
    keys = dict(keys)
    writer = gguf.GGUFWriter(path, keys.pop("general.architecture"))
    for key, value in keys.items():
        add(writer, key, value)
    for name, tensor in numbers.items():
        if isinstance(tensor, tuple):
            writer.add_tensor(name, tensor[0], raw_dtype=tensor[1])
        else:
            writer.add_tensor(name, tensor.detach().numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def add(writer: gguf.GGUFWriter, key: str, value: Any) -> None:
    """A key with a value of the type that llama.cpp would give it."""
    if isinstance(value, bool):
        writer.add_bool(key, value)
    elif isinstance(value, int):
        writer.add_uint32(key, value)
    elif isinstance(value, float):
        writer.add_float32(key, value)
    elif isinstance(value, str):
        writer.add_string(key, value)
    elif isinstance(value, list):
        writer.add_array(key, value)


def write_model(
    path: Path,
    architecture: str,
    keys: dict[str, Any] | None = None,
    more: dict[str, Tensor] | None = None,
    **changes: Any,
) -> Any:
    """A whole model in a file; returns the model.

    `keys` replace or add metadata, None takes one away; `more` are tensors besides the parameters.
    """
    theirs = model(architecture, **changes)
    known = {"general.architecture": architecture, **metadata(architecture, theirs.config)}
    known |= vocabulary(path.parent / "vocabulary") | (keys or {})
    kept = {key: value for key, value in known.items() if value is not None}
    write(path, kept, tensors(architecture, theirs) | (more or {}))
    return theirs


def quantised(numbers: Tensor, kind: str) -> tuple[np.ndarray, gguf.GGMLQuantizationType]:
    """Numbers in a type of GGUF; the package cannot pack types of 256, for which random bytes must do."""
    which = gguf.GGMLQuantizationType[kind]
    try:
        return gguf.quants.quantize(numbers.numpy(), which), which
    except NotImplementedError:
        return random_blocks(numbers.shape, kind), which


def random_blocks(shape: tuple[int, ...], kind: str) -> np.ndarray:
    """Bytes that are blocks of a type of 256, with scales that are finite."""
    which = gguf.GGMLQuantizationType[kind]
    _, size = gguf.GGML_QUANT_SIZES[which]
    generator = torch.Generator().manual_seed(0)
    rows, blocks = int(np.prod(shape[:-1])), shape[-1] // 256
    stored = torch.randint(0, 256, (rows, blocks, size), generator=generator).to(torch.uint8).numpy()
    last = LAST_BYTES.get(kind, 0)  # where a block has its scales, each of which is then a small number
    if last:
        stored[..., -last:] = 0x22
    else:
        stored[..., :4] = 0x22
    return stored.reshape(rows, blocks * size)
