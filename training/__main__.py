"""`python -m training NAME`: train a bundled model, or resume its training."""

import argparse
import logging
from pathlib import Path

from training.metrics import minimal_pairs
from training.options import facts, parser, prepare
from training.recipes import RECIPES, begin
from training.run.base import Budget
from training.run.device import choose_device, faster_in_bf16
from training.run.loop import Run
from training.shipping import ship, store_milestone
from training.word2vec.train import train as train_word2vec

log = logging.getLogger("training")

OWN_LOOP = {"word2vec": train_word2vec}  # models whose steps are too small for `run.loop`


def main(arguments: list[str] | None = None) -> None:
    """Train the model that the command line names."""
    options = parser([*RECIPES, *OWN_LOOP]).parse_args(arguments)
    prepare(options.threads)
    options.device = choose_device(options.device)
    options.run = options.run or Path("runs") / options.model
    options.out = options.out or Path("assets") / "checkpoints" / options.model
    OWN_LOOP.get(options.model, train)(options)


def train(options: argparse.Namespace) -> None:
    """Train until the budget is spent, then write checkpoint, record and card."""
    if options.dev:
        minimal_pairs.files(options.dev)  # read only at the end: a wrong folder is reported now
    recipe, task = RECIPES[options.model], begin(options)
    bf16 = faster_in_bf16(options.device)
    log.info("%s on %s, %d shards of text", options.model, options.device, task.shards())
    run = Run(
        task,
        Budget(tokens=options.tokens) if options.tokens else Budget(seconds=options.seconds),
        options.run,
        options.device,
        bf16=bf16,
        save_every=options.save_every,
        seed=options.seed,
        rate=options.rate,
        milestones=recipe.milestones,
        at_milestone=store_milestone,
    )
    run.train()
    start = options.start if recipe.continues else None
    ship(run, options.out, facts(options, run, "bfloat16" if bf16 else "float32"), start, options.dev)


if __name__ == "__main__":
    main()
