"""A GGUF file as a checkpoint: its configuration, its tensors under the hub's names, its tokenizer."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from explorer.checkpoints.gguf.config import architecture_of, hub_config
from explorer.checkpoints.gguf.header import Header
from explorer.checkpoints.gguf.names import hub_names, unpermute_rotary
from explorer.checkpoints.gguf.reader import SUFFIX, read_header
from explorer.checkpoints.gguf.scaling import DIVISORS, read_divisors, scaling_from_divisors
from explorer.checkpoints.gguf.tensors import read_numbers
from explorer.errors import NotFoundError
from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.gguf import Vocabulary, build

CONFIG = "config.json"
PART = re.compile(r"-[0-9]+-of-[0-9]+\.gguf$", re.IGNORECASE)


def is_gguf(path: Path) -> bool:
    """Whether a path is that of a GGUF file, by its name.

    >>> is_gguf(Path("model.Q4_K.gguf")), is_gguf(Path("model.bin"))
    (True, False)
    """
    return path.suffix.lower() == SUFFIX and not path.is_dir()


def inside(folder: Path) -> Path | None:
    """The only GGUF file of a folder without config.json, if it has one.

    Raises NotFoundError for a folder with several.
    """
    if (folder / CONFIG).exists():
        return None
    files = sorted(path for path in folder.iterdir() if is_gguf(path) and path.is_file())
    if len(files) > 1 and all(PART.search(path.name) for path in files):
        raise NotFoundError(
            f"{folder} holds a GGUF model in {len(files)} parts, and Riverbank reads whole files.",
            f"Join them with llama.cpp’s llama-gguf-split --merge {files[0].name} whole.gguf.",
        )
    if len(files) > 1:
        raise NotFoundError(f"{folder} holds several GGUF files.", f"Name one of them: folder:{files[0]}.")
    return files[0] if files else None


@dataclass(frozen=True)
class GgufFile:
    """A GGUF file whose header has been read; its numbers are read by `tensors`."""

    path: Path
    header: Header

    @classmethod
    def open(cls, path: Path) -> "GgufFile":
        """Read the header. Raises FormatError for another kind of file, or a damaged one."""
        return cls(path, read_header(path))

    @cached_property
    def config(self) -> dict[str, Any]:
        """The hub's config.json of this model. Raises FormatError for an unsupported model."""
        config = hub_config(self.header)
        if (info := self.header.tensors.get(DIVISORS)) is not None and config["model_type"] == "llama":
            width = config.get("head_dim") or config["hidden_size"] // max(config["num_attention_heads"], 1)
            divisors = read_divisors(self.path, info, width // 2)
            name, base = self.header.name, config["rope_theta"]
            config["rope_scaling"] = scaling_from_divisors(divisors, base, name)
        return config

    @cached_property
    def names(self) -> dict[str, str]:
        """The hub's name of each tensor."""
        return hub_names(self.header, architecture_of(self.header))

    @property
    def float32_bytes(self) -> int:
        """The size of the numbers in memory, in bytes."""
        return 4 * sum(tensor.numbers for tensor in self.header.tensors.values())

    def shapes(self) -> dict[str, Tensor]:
        """Every tensor under the hub's name, as a shape without numbers."""
        infos = self.header.tensors
        return {
            hub: self._unpermute(torch.empty(infos[name].shape, device="meta"), name)
            for name, hub in self.names.items()
        }

    def tensors(self) -> dict[str, Tensor]:
        """Every tensor under the hub's name, as float32. Raises FormatError for numbers that are not finite.

        They are read one after another, to limit the memory.
        """
        tensors: dict[str, Tensor] = {}

        def keep(name: str, tensor: Tensor) -> None:
            if name in self.names:
                tensors[self.names[name]] = self._unpermute(tensor, name)

        read_numbers(self.path, self.header, keep)
        return tensors

    def tokenizer(self) -> Tokenizer:
        """The tokenizer in the metadata. Raises FormatError."""
        return build(self.vocabulary())

    def vocabulary(self) -> Vocabulary:
        """The tokenizer data in the metadata. Raises FormatError for missing keys and wrong types."""
        header, metadata = self.header, self.header.metadata
        model = header.get("tokenizer.ggml.model", str)
        # Files of 2023 do not name the pattern; for GPT-2 itself there is only one.
        split = "gpt-2" if architecture_of(header) == "gpt2" else None
        first, last = (f"tokenizer.ggml.{name}_token_id" for name in ("bos", "eos"))
        kinds, template = "tokenizer.ggml.token_type", "tokenizer.chat_template"
        return Vocabulary(
            name=header.name,
            model=model,
            split=header.get("tokenizer.ggml.pre", str, split) if model == "gpt2" else "",
            tokens=header.get("tokenizer.ggml.tokens", list),
            merges=header.get("tokenizer.ggml.merges", list) if model == "gpt2" else [],
            kinds=header.get(kinds, np.ndarray).tolist() if kinds in metadata else (),
            start=header.get(first, int) if first in metadata else None,
            end=header.get(last, int) if last in metadata else None,
            adds_start=header.get("tokenizer.ggml.add_bos_token", bool, False),
            chat_template=header.get(template, str) if template in metadata else None,
        )

    def _unpermute(self, tensor: Tensor, name: str) -> Tensor:
        config = self.config
        heads = config.get("num_attention_heads", 1)
        return unpermute_rotary(
            tensor, name, architecture_of(self.header), heads, config.get("num_key_value_heads", heads)
        )
