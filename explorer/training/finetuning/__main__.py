"""`python -m explorer.training.finetuning WHAT [NAME...] --data FOLDER`.

ready     train a head that ships, store it and measure it on its test set
measure   measure a stored head again
curves    what is gained by 10 to 1,000 examples
choices   which layers serve names best (no NAME)
ulmfit    what ULMFiT's tricks give (no NAME)
features  what frozen vectors of bodies are worth (NAME: bundled models, or folder:PATH)
"""

import argparse
import os
from pathlib import Path

from explorer.finetuning.learning_curves import SEEDS, SIZES
from explorer.training.finetuning import curves, features, others, ready
from explorer.training.finetuning.data import FOLDER, SETS


def main(arguments: list[str] | None = None) -> None:
    """Do what the command line says, set by set."""
    p = argparse.ArgumentParser(prog="python -m explorer.training.finetuning", description=__doc__)
    p.add_argument("what", choices=["ready", "measure", "curves", "choices", "ulmfit", "features"])
    p.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SETS) + "; features: bodies")
    p.add_argument("--data", type=Path, default=Path(os.environ.get(FOLDER, "labelled")), metavar="FOLDER")
    p.add_argument("--state", type=Path, metavar="FOLDER", help="ready: where a training's state is kept")
    p.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="curves: of these sizes")
    p.add_argument("--seeds", type=int, default=SEEDS, help="curves: so many seeds")
    p.add_argument("--threads", type=int, default=1)
    a = p.parse_args(arguments)
    ready.threads(a.threads)
    if a.what == "features":
        features.features(a.data, a.names)
        return
    if unknown := set(a.names) - set(SETS):
        p.error(f"no such set: {', '.join(sorted(unknown))}")
    if a.what == "choices":
        others.choices(a.data)
    elif a.what == "ulmfit":
        others.ulmfit(a.data)
    for name in a.names:
        if a.what == "curves":
            curves.make(name, a.data, a.sizes, a.seeds)
        elif a.what == "measure":
            ready.measure(name, a.data)
        else:
            ready.make(name, a.data, None if a.state is None else a.state / f"{name}.state")


if __name__ == "__main__":
    main()
