"""`python -m training.finetuning WHAT [NAME...] --data FOLDER`.

ready     train a head that ships, store it and measure it on its test set
curves    scores after 10 to 1,000 examples
features  heads on frozen vectors of models (NAME: bundled models, or folder:PATH)
"""

import argparse
import os
from pathlib import Path

import torch

from training.finetuning import comparisons, ready
from training.finetuning.data import FOLDER, SETS


def main(arguments: list[str] | None = None) -> None:
    """Run the command that the command line names, for each set."""
    p = argparse.ArgumentParser(
        prog="python -m training.finetuning",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("what", choices=["ready", "curves", "features"])
    p.add_argument("names", nargs="+", metavar="NAME", help=", ".join(SETS) + "; features: models")
    p.add_argument("--data", type=Path, default=Path(os.environ.get(FOLDER, "labelled")), metavar="FOLDER")
    p.add_argument("--state", type=Path, metavar="FOLDER", help="ready: for the states of trainings")
    options = p.parse_args(arguments)
    torch.set_num_threads(1)  # gives the same figures each time
    if options.what == "features":
        comparisons.features(options.data, options.names)
        return
    if unknown := set(options.names) - set(SETS):
        p.error(f"no such set: {', '.join(sorted(unknown))}")
    for name in options.names:
        if options.what == "curves":
            comparisons.curves(name, options.data)
        else:
            ready.make(name, options.data, options.state and options.state / f"{name}.state")


if __name__ == "__main__":
    main()
