"""`python -m training.finetuning WHAT [NAME...] --data FOLDER`.

ready     train a head that ships, store it and measure it on its test set
features  heads on frozen vectors of models (NAME: bundled models, or folder:PATH)
"""

import argparse
import os
from pathlib import Path

import torch

from training.finetuning import features, ready
from training.finetuning.data import FOLDER, SETS


def main(arguments: list[str] | None = None) -> None:
    """Run the command that the command line names, for each set."""
    p = argparse.ArgumentParser(
        prog="python -m training.finetuning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("what", choices=["ready", "features"])
    p.add_argument("names", nargs="+", metavar="NAME", help=", ".join(SETS) + "; features: models")
    p.add_argument("--data", type=Path, default=Path(os.environ.get(FOLDER, "labelled")), metavar="FOLDER")
    options = p.parse_args(arguments)
    torch.set_num_threads(1)  # gives the same figures each time
    if options.what == "features":
        features.compare(options.data, options.names)
        return
    if unknown := set(options.names) - set(SETS):
        p.error(f"no such set: {', '.join(sorted(unknown))}")
    for name in options.names:
        ready.make(name, options.data)


if __name__ == "__main__":
    main()
