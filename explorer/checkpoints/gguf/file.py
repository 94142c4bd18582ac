"""A GGUF file as a checkpoint: its configuration, its tensors under the hub's names, its tokenizer."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from explorer.checkpoints.gguf.architectures import ARCHITECTURES
from explorer.checkpoints.gguf.config import architecture_of, hub_config, pooling_of
from explorer.checkpoints.gguf.header import Header
from explorer.checkpoints.gguf.parts import PART, is_gguf, read_parts
from explorer.checkpoints.gguf.reader import SUFFIX
from explorer.checkpoints.gguf.scaling import (
    DIVISORS,
    FACTORS,
    read_divisors,
    scaling_from_divisors,
    scaling_of_two,
)
from explorer.checkpoints.gguf.tensors import read_numbers
from explorer.checkpoints.placement import FLOAT32, Placement
from explorer.errors import FormatError, NotFoundError
from explorer.models.pooling import Pooling
from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.gguf import BYTES, PIECES, Vocabulary, build

TRANSPOSED = ("attn_qkv", "attn_output", "ffn_up", "ffn_down")  # of GPT-2

_NAME = re.compile(r"(?:blk\.(\d+)\.)?(\w+)\.(weight|bias)")

CONFIG = "config.json"
USUAL_SPLITS = {"gpt2": "gpt-2", "qwen2": "qwen2", "qwen3": "qwen2"}
ENDS = ("eot", "eom", "fim_pad", "fim_rep", "fim_sep")  # tokens that end an answer, as in llama.cpp
LLAMA_3 = "<|begin_of_text|>"


def inside(folder: Path) -> Path | None:
    """The only GGUF file of a folder without config.json, or the first part of one; None if it has none.

    Raises NotFoundError for a folder with several.
    """
    if (folder / CONFIG).exists():
        return None
    files = sorted(path for path in folder.iterdir() if is_gguf(path) and path.is_file())
    if len({PART.sub(r"\1", path.name) for path in files}) == 1:
        return files[0]
    if len(files) > 1:
        raise NotFoundError(f"{folder} holds several GGUF files.", f"Name one of them: folder:{files[0]}.")
    return files[0] if files else None


@dataclass(frozen=True)
class GgufFile:
    """A GGUF file whose header has been read; its numbers are read by `tensors`."""

    header: Header

    @classmethod
    def open(cls, path: Path) -> "GgufFile":
        """Read the header of a file, and of all parts of its model.

        Raises FormatError for another kind of file or a damaged one, NotFoundError for a missing part.
        """
        return cls(read_parts(path))

    @property
    def title(self) -> str:
        """What the file calls its model, if its own name is no GGUF file's, as those of ollama's store.

        Without `:` and `,`, by which a typed name is told from a label.
        """
        has_name = self.header.name.lower().endswith(SUFFIX)
        return "" if has_name else re.sub("[:,]", "", self.header.get("general.name", str, ""))[:60]

    @cached_property
    def config(self) -> dict[str, Any]:
        """The hub's config.json of this model. Raises FormatError for an unsupported model."""
        config, infos = hub_config(self.header), self.header.tensors
        if not infos.keys() & {*FACTORS} or "rope_theta" not in config:
            return config
        width = config.get("head_dim") or config["hidden_size"] // max(config["num_attention_heads"], 1)
        pairs = int(width * config.get("partial_rotary_factor", 1)) // 2
        factors = {name: read_divisors(infos[name], pairs) for name in FACTORS if name in infos}
        if (divisors := factors.get(DIVISORS)) is not None:
            name, base = self.header.name, config["rope_theta"]
            return config | {"rope_scaling": scaling_from_divisors(divisors, base, name)}
        return config | scaling_of_two(factors, self.header, architecture_of(self.header))

    @property
    def pooling(self) -> Pooling | None:
        """How it makes a text's vector; None where it does not say. Raises FormatError for a wrong type."""
        return pooling_of(self.header)

    @cached_property
    def names(self) -> dict[str, str]:
        """The hub's name of each tensor."""
        return hub_names(self.header, architecture_of(self.header))

    @property
    def sizes(self) -> list[int]:
        """How many numbers each tensor has."""
        return [tensor.numbers for tensor in self.header.tensors.values()]

    def shapes(self) -> dict[str, Tensor]:
        """Every tensor under the hub's name, as a shape without numbers."""
        infos = self.header.tensors
        return {
            hub: self._in_hub_layout(torch.empty(infos[name].shape, device="meta"), name)
            for name, hub in self.names.items()
        }

    def tensors(self, placement: Placement = FLOAT32) -> dict[str, Tensor]:
        """Every tensor under the hub's name, as placed. Raises FormatError for numbers that are not finite.

        They are read one after another, to limit the memory.
        """
        tensors: dict[str, Tensor] = {}

        def keep(name: str, tensor: Tensor) -> None:
            if name in self.names:
                tensors[self.names[name]] = placement.place(self._in_hub_layout(tensor, name))

        read_numbers(self.header, keep)
        return tensors

    def tokenizer(self) -> Tokenizer:
        """The tokenizer in the metadata. Raises FormatError."""
        return build(self.vocabulary())

    def vocabulary(self) -> Vocabulary:
        """The tokenizer data in the metadata. Raises FormatError for missing keys and wrong types."""
        header, metadata = self.header, self.header.metadata

        def value(key: str, kind: type[Any]) -> Any:
            """A value of the tokenizer, or None where the file has none."""
            name = f"tokenizer.ggml.{key}"
            return header.get(name, kind) if name in metadata else None

        model = header.get("tokenizer.ggml.model", str)
        kinds, template = value("token_type", np.ndarray), "tokenizer.chat_template"
        ends = (value(f"{name}_token_id", int) for name in ENDS)
        return Vocabulary(
            name=header.name,
            model=model,
            split=value("pre", str) or self._usual_split(),
            tokens=header.get("tokenizer.ggml.tokens", list),
            merges=header.get("tokenizer.ggml.merges", list) if model == BYTES else [],
            kinds=() if kinds is None else kinds.tolist(),
            scores=header.get("tokenizer.ggml.scores", np.ndarray).tolist() if model == PIECES else (),
            start=value("bos_token_id", int),
            end=value("eos_token_id", int),
            ends=[end for end in ends if end is not None],
            adds_start=value("add_bos_token", bool),
            adds_end=value("add_eos_token", bool) is True,
            prefix_space=value("add_space_prefix", bool) is not False,
            swallows=model == PIECES and architecture_of(header) == "phi3",
            chat_template=header.get(template, str) if template in metadata else None,
        )

    def _usual_split(self) -> str:
        """How the published tokenizers of this kind split a text; files of before May 2024 do not say."""
        tokens = self.header.get("tokenizer.ggml.tokens", list)
        return "llama-bpe" if LLAMA_3 in tokens else USUAL_SPLITS.get(architecture_of(self.header), "")

    def _in_hub_layout(self, tensor: Tensor, name: str) -> Tensor:
        config = self.config
        heads = config.get("num_attention_heads", 1)
        return in_hub_layout(
            tensor, name, architecture_of(self.header), heads, config.get("num_key_value_heads", heads)
        )


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
    """A tensor of a file as the hub has it; `name` is GGUF's. Its shape may be anything.

    GPT-2's matrices are transposed; where the numbers of a head that rotate together stand side by side, they
    are laid half a head apart; all queries, all keys and all values are laid group by group where the hub has
    them so; and where norms have 1 added, it is taken off.
    """
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
    """
    if key_heads < 1 or heads % key_heads or len(tensor) % (heads + 2 * key_heads):
        return tensor  # it fits no model, and the loader says so
    width = len(tensor) // (heads + 2 * key_heads)
    parts = tensor.split([count * width for count in (heads, key_heads, key_heads)])
    rows = [part.reshape(key_heads, -1, *tensor.shape[1:]) for part in parts]
    return torch.cat(rows, 1).reshape(tensor.shape)


def halves_apart(tensor: Tensor, heads: int) -> Tensor:
    """The rows of each head, the even ones first, then the odd ones; as they are where that cannot be."""
    rows = len(tensor)
    if heads < 1 or rows % (2 * heads):
        return tensor  # it fits no model, and the loader says so
    return tensor.view(heads, rows // heads // 2, 2, *tensor.shape[1:]).transpose(1, 2).reshape(tensor.shape)
