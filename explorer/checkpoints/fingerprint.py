"""One string for a model's weights and its tokenizer: equal strings, equal vectors."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import nn

from explorer.checkpoints import locate
from explorer.checkpoints.gguf import is_gguf
from explorer.checkpoints.gguf_reader import read_header
from explorer.models import LanguageModel
from explorer.tokenizers import TOKENIZER_FILES


def fingerprint(model: LanguageModel) -> str:
    """The fingerprint of a loaded model; of one on another machine, what its server says.

    >>> import explorer
    >>> len(fingerprint(explorer.load("bert-mini")))
    32
    """
    client = getattr(model.network, "client", None)
    if client is not None:
        return str(client.model)
    folder = locate(model.checkpoint)
    if is_gguf(folder):
        return digest(model.network, {"tokenizer": _tokenizer_part(folder)})
    files = {n: (folder / n).read_bytes() for n in TOKENIZER_FILES if (folder / n).is_file()}
    return digest(model.network, files)


def _tokenizer_part(path: Path) -> bytes:
    """What a GGUF file says of its tokenizer, in one order."""
    stated = {k: v for k, v in read_header(path).metadata.items() if k.startswith("tokenizer.")}
    return json.dumps(stated, sort_keys=True, default=np.ndarray.tolist).encode()


def digest(network: nn.Module, files: Mapping[str, bytes]) -> str:
    """The fingerprint of a network's weights and of some files by name, the same in every process."""
    found = hashlib.sha256()
    for name, weight in sorted(network.state_dict().items()):
        found.update(name.encode())
        found.update(weight.detach().cpu().contiguous().view(torch.uint8).numpy())
    for name, content in sorted(files.items()):
        found.update(name.encode() + content)
    return found.hexdigest()[:32]
