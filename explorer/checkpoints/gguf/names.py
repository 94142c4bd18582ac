"""GGUF's names and layouts of each architecture's parameters, and their conversion to the hub's.

The names are those of llama.cpp's `gguf-py/gguf/tensor_mapping.py`, the turns those of its
`convert_hf_to_gguf.py`: GPT-2's matrices are transposed, and in llama's queries and keys the two halves of a
head, which rotate together, are laid in turn.
"""

import re

from torch import Tensor

from explorer.checkpoints.gguf.header import Header
from explorer.checkpoints.gguf.scaling import DIVISORS
from explorer.errors import FormatError

GPT2_NAMES = {
    "token_embd": "wte",
    "position_embd": "wpe",
    "output_norm": "ln_f",
    "output": "lm_head",
    "attn_norm": "h.{i}.ln_1",
    "attn_qkv": "h.{i}.attn.c_attn",
    "attn_output": "h.{i}.attn.c_proj",
    "ffn_norm": "h.{i}.ln_2",
    "ffn_up": "h.{i}.mlp.c_fc",
    "ffn_down": "h.{i}.mlp.c_proj",
}
LLAMA_NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "attn_norm": "model.layers.{i}.input_layernorm",
    "attn_q": "model.layers.{i}.self_attn.q_proj",
    "attn_k": "model.layers.{i}.self_attn.k_proj",
    "attn_v": "model.layers.{i}.self_attn.v_proj",
    "attn_output": "model.layers.{i}.self_attn.o_proj",
    "ffn_norm": "model.layers.{i}.post_attention_layernorm",
    "ffn_gate": "model.layers.{i}.mlp.gate_proj",
    "ffn_up": "model.layers.{i}.mlp.up_proj",
    "ffn_down": "model.layers.{i}.mlp.down_proj",
}
QWEN3_NAMES = LLAMA_NAMES | {
    "attn_q_norm": "model.layers.{i}.self_attn.q_norm",
    "attn_k_norm": "model.layers.{i}.self_attn.k_norm",
}
NAMES = {"gpt2": GPT2_NAMES, "llama": LLAMA_NAMES, "qwen2": LLAMA_NAMES, "qwen3": QWEN3_NAMES}
TRANSPOSED = ("attn_qkv", "attn_output", "ffn_up", "ffn_down")  # of GPT-2

_NAME = re.compile(r"(?:blk\.(\d+)\.)?(\w+)\.(weight|bias)")


def hub_names(header: Header, architecture: str) -> dict[str, str]:
    """The hub's name of each tensor in a file. Raises FormatError for tensors foreign to the architecture."""
    hub_parts = NAMES[architecture]
    names, foreign = {}, []
    for name in header.tensors:
        if name == DIVISORS and architecture == "llama":
            continue  # not a parameter: the configuration has it in another form
        match = _NAME.fullmatch(name)
        pattern = hub_parts.get(match[2]) if match else None
        if match is None or pattern is None or ("{i}" in pattern) != bool(match[1]):
            foreign.append(name)
        else:
            names[name] = f"{pattern.format(i=match[1])}.{match[3]}"
    if foreign:
        more = " …" if len(foreign) > 3 else ""
        raise FormatError(
            f"{header.name} holds tensors that are not of the plain {architecture}: "
            f"{', '.join(name[:80] for name in foreign[:3])}{more}.",
            "It is a variant that Riverbank does not compute: choose a file of the plain architecture.",
        )
    return names


def unpermute_rotary(tensor: Tensor, name: str, architecture: str, heads: int, key_heads: int) -> Tensor:
    """A tensor of a file as the hub has it; `name` is GGUF's. Its shape may be anything."""
    match = _NAME.fullmatch(name)
    kind = match[2] if match else ""
    if architecture == "gpt2" and kind in TRANSPOSED and tensor.ndim == 2:
        return tensor.T
    if architecture == "llama" and kind in ("attn_q", "attn_k"):
        return halves_apart(tensor, heads if kind == "attn_q" else key_heads)
    return tensor


def halves_apart(tensor: Tensor, heads: int) -> Tensor:
    """The rows of each head, the even ones first, then the odd ones; as they are where that cannot be.

    >>> import torch
    >>> halves_apart(torch.arange(8), heads=2)
    tensor([0, 2, 1, 3, 4, 6, 5, 7])
    """
    rows = len(tensor)
    if heads < 1 or rows % (2 * heads):
        return tensor  # it fits no model, and the loader says so
    return tensor.view(heads, rows // heads // 2, 2, *tensor.shape[1:]).transpose(1, 2).reshape(tensor.shape)
