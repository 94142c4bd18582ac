"""Export of a network in training to a checkpoint's folder; each file is replaced atomically."""

import hashlib
import tempfile
from pathlib import Path
from typing import Any

from torch import nn

from explorer.analysis.translation.doubts import KNOWN_WORDS
from explorer.checkpoints.difference import NAME as DIFFERENCE
from explorer.checkpoints.format import write_model
from explorer.models import FAMILIES
from explorer.tokenizers import TOKENIZER_FILES
from training.run.task import Exportable

LISTED = ("config.json", "model.safetensors", DIFFERENCE, *TOKENIZER_FILES, KNOWN_WORDS)


def export(checkpoint: Exportable, folder: Path) -> None:
    """Write weights (float16), configuration, tokenizer and SHA256SUMS into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as name:
        fresh = Path(name)
        write_model(fresh, checkpoint.network, family_of(checkpoint.network))
        checkpoint.write_tokenizer(fresh)
        sign(fresh)
        for path in sorted(fresh.iterdir()):
            path.replace(folder / path.name)


def family_of(network: nn.Module) -> Any:
    """Architecture of a network."""
    return next(family for family in FAMILIES.values() if type(network.config) is family.config)


def sign(folder: Path) -> None:
    """Write SHA256SUMS of a checkpoint's files."""
    sums = [
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
        for name in LISTED
        if (folder / name).exists()
    ]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    for path in folder.iterdir():
        path.chmod(0o644)
