"""The parameters of a GGUF file under the hub's names and in its layouts.

GPT-2's matrices are transposed; where the numbers of a head that rotate together stand side by side, they are
laid half a head apart; all queries, all keys and all values are laid group by group where the hub has them
so; and where norms have 1 added, it is taken off.
"""

import re

import torch
from torch import Tensor

from explorer.checkpoints.gguf.architectures import ARCHITECTURES
from explorer.checkpoints.gguf.header import Header
from explorer.checkpoints.gguf.scaling import FACTORS
from explorer.errors import FormatError

TRANSPOSED = ("attn_qkv", "attn_output", "ffn_up", "ffn_down")  # of GPT-2

_NAME = re.compile(r"(?:blk\.(\d+)\.)?(\w+)\.(weight|bias)")


def hub_names(header: Header, architecture: str) -> dict[str, str]:
    """The hub's name of each tensor in a file. Raises FormatError for tensors foreign to the architecture."""
    kind = ARCHITECTURES[architecture]
    names, foreign = {}, []
    for name in header.tensors:
        if name in FACTORS and architecture != "gpt2":
            continue  # not a parameter: the configuration has it in another form
        match = _NAME.fullmatch(name)
        hub_name = (kind.parts if match[1] else kind.tables).get(match[2]) if match else None
        if match is None or hub_name is None:
            foreign.append(name)
        else:
            layer = kind.layer.format(i=match[1]) if match[1] else ""
            names[name] = f"{layer}{hub_name}.{match[3]}"
    if foreign:
        more = " …" if len(foreign) > 3 else ""
        raise FormatError(
            f"{header.name} holds tensors that are not of the plain {architecture}: "
            f"{', '.join(name[:80] for name in foreign[:3])}{more}.",
            "It is a variant that Riverbank does not compute: choose a file of the plain architecture.",
        )
    return names


def in_hub_layout(tensor: Tensor, name: str, architecture: str, heads: int, key_heads: int) -> Tensor:
    """A tensor of a file as the hub has it; `name` is GGUF's. Its shape may be anything."""
    match = _NAME.fullmatch(name)
    kind = match[2] if match else ""
    if architecture == "gpt2" and kind in TRANSPOSED and tensor.ndim == 2:
        return tensor.T
    if ARCHITECTURES[architecture].pairs and kind in ("attn_q", "attn_k"):
        return halves_apart(tensor, heads if kind == "attn_q" else key_heads)
    if ARCHITECTURES[architecture].grouped and kind == "attn_qkv":
        return group_by_group(tensor, heads, key_heads)
    return tensor - 1 if ARCHITECTURES[architecture].gains and kind.endswith("_norm") else tensor


def group_by_group(tensor: Tensor, heads: int, key_heads: int) -> Tensor:
    """The rows of all queries, keys and values as those of each group, which shares a key.

    They are left as they are where that cannot be.

    >>> group_by_group(torch.arange(6), heads=2, key_heads=2)
    tensor([0, 2, 4, 1, 3, 5])
    """
    if key_heads < 1 or heads % key_heads or len(tensor) % (heads + 2 * key_heads):
        return tensor  # it fits no model, and the loader says so
    width = len(tensor) // (heads + 2 * key_heads)
    parts = tensor.split([count * width for count in (heads, key_heads, key_heads)])
    rows = [part.reshape(key_heads, -1, *tensor.shape[1:]) for part in parts]
    return torch.cat(rows, 1).reshape(tensor.shape)


def halves_apart(tensor: Tensor, heads: int) -> Tensor:
    """The rows of each head, the even ones first, then the odd ones; as they are where that cannot be.

    >>> halves_apart(torch.arange(8), heads=2)
    tensor([0, 2, 1, 3, 4, 6, 5, 7])
    """
    rows = len(tensor)
    if heads < 1 or rows % (2 * heads):
        return tensor  # it fits no model, and the loader says so
    return tensor.view(heads, rows // heads // 2, 2, *tensor.shape[1:]).transpose(1, 2).reshape(tensor.shape)
