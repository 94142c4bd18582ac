"""Checkpoints in folders: a network's export, and the mean of several.

    python -m training.average OUT FOLDER FOLDER ...

The mean of weights from one training is often better than each of them, since the noise of the last steps
cancels out (Wortsman et al. 2022, "Model soups").
"""

import argparse
import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from explorer import load
from explorer.analysis.translation.doubts import KNOWN_WORDS
from explorer.checkpoints.difference import NAME as DIFFERENCE
from explorer.checkpoints.format import write_model
from explorer.errors import FormatError
from explorer.models import FAMILIES
from explorer.tokenizers import TOKENIZER_FILES

LISTED = ("config.json", "model.safetensors", DIFFERENCE, *TOKENIZER_FILES, KNOWN_WORDS)


def export(network: nn.Module, write_tokenizer: Callable[[Path], None], folder: Path) -> None:
    """Write weights (float16), configuration, tokenizer and SHA256SUMS into `folder`."""
    family = next(family for family in FAMILIES.values() if type(network.config) is family.config)
    write_model(folder, network, family)
    write_tokenizer(folder)
    sign(folder)


def sign(folder: Path) -> None:
    """Write SHA256SUMS of a checkpoint's files."""
    sums = [
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
        for name in LISTED
        if (folder / name).exists()
    ]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def average(folders: list[Path], out: Path) -> None:
    """Write the mean of checkpoints, with the tokenizer of the first.

    Raises FormatError for checkpoints of different sizes.
    """
    first, *others = (load(f"folder:{folder}") for folder in folders)
    if any(model.config != first.config for model in others):
        raise FormatError("These checkpoints differ in size.", "Average checkpoints of one training.")
    states = [model.network.state_dict() for model in (first, *others)]
    mean = {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}
    first.network.load_state_dict(mean)

    def copy_tokenizer(folder: Path) -> None:
        for name in (*TOKENIZER_FILES, KNOWN_WORDS):
            if (folders[0] / name).exists():
                shutil.copy(folders[0] / name, folder)

    export(first.network, copy_tokenizer, out)


def main(arguments: list[str] | None = None) -> None:
    """Average the checkpoints that the command names."""
    p = argparse.ArgumentParser(prog="python -m training.average", description=__doc__)
    p.add_argument("out", type=Path, help="where the mean goes")
    p.add_argument("folders", type=Path, nargs="+", help="checkpoints of one architecture and tokenizer")
    a = p.parse_args(arguments)
    average(a.folders, a.out)


if __name__ == "__main__":
    main()
