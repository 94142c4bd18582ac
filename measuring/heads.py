"""Store measurements of each attention head of a bundled checkpoint: `python -m measuring.heads bert`.

Run it after a change of the weights, the sentences or a score; tests compare the files with the live model.
There are three files for each checkpoint: the heads' attention (seconds), which noun of two they find for a
pronoun (seconds; `--pronouns` writes this one alone), and the loss without each head (minutes).
"""

import argparse
import json

import torch

import explorer
from explorer.analysis.heads import loss, pronouns, storing
from explorer.analysis.heads.ablation import METHODS
from explorer.trace import Ability


def main(arguments: list[str] | None = None) -> None:
    """Measure the named checkpoints and write their files in assets/heads."""
    p = argparse.ArgumentParser(prog="python -m measuring.heads", description=__doc__)
    names = [
        c.name
        for c in explorer.available()
        if c.source == "bundled" and Ability.ATTENTION in (c.abilities or Ability.NONE)
    ]
    p.add_argument("names", nargs="+", choices=names, metavar="NAME", help=f"some of: {', '.join(names)}")
    p.add_argument("--threads", type=int, default=0, help="CPU threads; 0: as many as torch likes")
    p.add_argument("--pronouns", action="store_true", help="measure pronouns alone")
    options = p.parse_args(arguments)
    if options.threads:
        torch.set_num_threads(options.threads)
    for folder in (storing.FOLDER, loss.FOLDER, pronouns.FOLDER):
        folder.mkdir(exist_ok=True)
    for name in options.names:
        model = explorer.load(name)
        if "en" in model.languages:  # our sentences are English
            scores = pronouns.measure(model)
            report = json.dumps({"sentences": scores.sentences, "right": scores.right.tolist()})
            (pronouns.FOLDER / f"{name}.json").write_text(f"{report}\n", encoding="utf-8")
        if options.pronouns:
            continue
        if "en" in model.languages:
            text = storing.write(storing.report(model, name))
            (storing.FOLDER / f"{name}.json").write_text(text, encoding="utf-8")
        if not model.abilities & (Ability.FILL | Ability.GENERATE):
            continue  # a translator's encoder predicts no words
        alone = {method: loss.measure(model, method) for method in METHODS}
        (loss.FOLDER / f"{name}.json").write_text(loss.write(alone), encoding="utf-8")


if __name__ == "__main__":
    main()
