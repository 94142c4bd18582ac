"""The mean of checkpoints: `python -m training.average OUT FOLDER FOLDER ...`

Weights that lie on one path of training can be averaged, and the mean is often better than each
(Wortsman et al. 2022, "Model soups"): what the last steps of each run did by chance cancels out.
"""

import argparse
import shutil
from pathlib import Path

import torch

from explorer.analysis.translation.doubts import KNOWN_WORDS
from explorer.checkpoints.format import read_model, write_model
from explorer.errors import FormatError
from explorer.models import FAMILIES
from explorer.tokenizers import TOKENIZER_FILES
from explorer.trace import Checkpoint
from training.export import sign


def average(folders: list[Path], out: Path) -> None:
    """Write a checkpoint whose every weight is the mean over `folders`; the tokenizer is the first one's.

    Raises FormatError for checkpoints of different sizes.
    """
    models = [read_model(folder, Checkpoint("folder", str(folder))) for folder in folders]
    first = models[0]
    if any(model.config != first.config for model in models):
        raise FormatError("These checkpoints differ in size.", "Average checkpoints of one training.")
    states = [model.network.state_dict() for model in models]
    mean = {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}
    first.network.load_state_dict(mean)
    family = next(f for f in FAMILIES.values() if isinstance(first.config, f.config))
    write_model(out, first.network, family)
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
