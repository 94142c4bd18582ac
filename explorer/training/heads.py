"""Store what each head of a bundled checkpoint does: `python -m explorer.training.heads bert`.

Run it after a checkpoint's weights, the sentences or a score has changed; a test compares the
file with the live model. About half a minute.
"""

import argparse

import torch

import explorer
from explorer.analysis.heads import storing
from explorer.trace import Ability


def main(arguments: list[str] | None = None) -> None:
    """Measure the checkpoints that are named, and write assets/heads/<name>.json for each."""
    p = argparse.ArgumentParser(prog="python -m explorer.training.heads", description=__doc__)
    names = [
        c.name for c in explorer.available() if c.source == "bundled" and Ability.ATTENTION in c.abilities
    ]
    p.add_argument("names", nargs="+", choices=names, metavar="NAME", help=f"some of: {', '.join(names)}")
    p.add_argument("--threads", type=int, default=0, help="CPU threads; 0: as many as torch likes")
    a = p.parse_args(arguments)
    if a.threads:
        torch.set_num_threads(a.threads)
    storing.FOLDER.mkdir(exist_ok=True)
    for name in a.names:
        found = storing.report(explorer.load(name), name)
        (storing.FOLDER / f"{name}.json").write_text(storing.write(found), encoding="utf-8")


if __name__ == "__main__":
    main()
