"""One string for a model's weights and its tokenizer: equal strings, equal vectors."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import nn

from explorer.checkpoints import locate
from explorer.checkpoints.gguf.parts import is_gguf
from explorer.checkpoints.gguf.reader import read_header
from explorer.models import LanguageModel
from explorer.models.saved_names import saved_name
from explorer.tokenizers import TOKENIZER_FILES


def fingerprint(model: LanguageModel) -> str:
    """The fingerprint of a loaded model, computed by its server if it is on another machine."""
    client = getattr(model.network, "client", None)
    if client is not None:
        return str(client.model)
    folder = locate(model.checkpoint)
    if is_gguf(folder):
        return digest(model.network, {"tokenizer": _tokenizer_part(folder)})
    files = {n: (folder / n).read_bytes() for n in TOKENIZER_FILES if (folder / n).is_file()}
    return digest(model.network, files)


def _tokenizer_part(path: Path) -> bytes:
    """The tokenizer's metadata in a GGUF file, sorted by key."""
    metadata = {k: v for k, v in read_header(path).metadata.items() if k.startswith("tokenizer.")}
    return json.dumps(metadata, sort_keys=True, default=np.ndarray.tolist).encode()


def digest(network: nn.Module, files: Mapping[str, bytes]) -> str:
    """The fingerprint of a network's weights and of some files by name, the same in every process."""
    result = hashlib.sha256()
    weights = {saved_name(name): weight for name, weight in network.state_dict().items()}
    for name, weight in sorted(weights.items()):
        result.update(name.encode())
        result.update(weight.detach().cpu().contiguous().view(torch.uint8).numpy())
    for name, content in sorted(files.items()):
        result.update(name.encode() + content)
    return result.hexdigest()[:32]
