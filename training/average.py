"""Checkpoints in folders: a network's export, and the mean of several.

    python -m training.average OUT FOLDER FOLDER ...

The mean of weights from one training is often better than each of them, since the noise of the last steps
cancels out (Wortsman et al. 2022, "Model soups"). Each exported file is replaced atomically.
"""

import argparse
import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

import torch
from torch import nn

from explorer.analysis.translation.doubts import KNOWN_WORDS
from explorer.checkpoints.difference import NAME as DIFFERENCE
from explorer.checkpoints.format import read_model, write_model
from explorer.errors import FormatError
from explorer.models import FAMILIES
from explorer.tokenizers import TOKENIZER_FILES
from explorer.trace import Checkpoint
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


def average(folders: list[Path], out: Path) -> None:
    """Write the mean of checkpoints, with the tokenizer of the first.

    Raises FormatError for checkpoints of different sizes.
    """
    models = [read_model(folder, Checkpoint("folder", str(folder))) for folder in folders]
    first = models[0]
    if any(model.config != first.config for model in models):
        raise FormatError("These checkpoints differ in size.", "Average checkpoints of one training.")
    states = [model.network.state_dict() for model in models]
    mean = {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}
    first.network.load_state_dict(mean)
    write_model(out, first.network, family_of(first.network))
    for name in (*TOKENIZER_FILES, KNOWN_WORDS):
        if (folders[0] / name).exists():
            shutil.copy(folders[0] / name, out)
    sign(out)


def main(arguments: list[str] | None = None) -> None:
    """Average the checkpoints that the command names."""
    p = argparse.ArgumentParser(prog="python -m training.average", description=__doc__)
    p.add_argument("out", type=Path, help="where the mean goes")
    p.add_argument("folders", type=Path, nargs="+", help="checkpoints of one architecture and tokenizer")
    a = p.parse_args(arguments)
    average(a.folders, a.out)


if __name__ == "__main__":
    main()
