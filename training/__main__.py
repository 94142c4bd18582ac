"""`python -m training NAME`: train a bundled model, or resume its training."""

import logging
from pathlib import Path

import torch

from training.metrics import minimal_pairs
from training.options import facts, parser, prepare
from training.recipes import RECIPES, begin
from training.run.device import choose_device, faster_in_bf16
from training.run.loop import Budget, Run
from training.shipping import ship, store_milestone

log = logging.getLogger("training")


def main(arguments: list[str] | None = None) -> None:
    """Train until the budget is spent, then write checkpoint, record and card."""
    options = parser([*RECIPES]).parse_args(arguments)
    prepare(options.threads)
    options.device = choose_device(options.device)
    options.run = options.run or Path("runs") / options.model
    options.out = options.out or Path("assets") / "checkpoints" / options.model
    if options.dev:
        minimal_pairs.files(options.dev)  # read only at the end: a wrong folder is reported now
    task = begin(options)
    if task.on_cpu:
        options.device = torch.device("cpu")
    bf16 = not task.on_cpu and faster_in_bf16(options.device)
    log.info("%s on %s, %d shards of text", options.model, options.device, task.shards())
    run = Run(
        task,
        Budget(options.seconds, options.tokens),
        options.run,
        options.device,
        bf16=bf16,
        save_every=options.save_every,
        seed=options.seed,
        rate=options.rate,
        milestones=task.milestones,
        at_milestone=store_milestone,
    )
    run.train()
    start = options.start if task.continues_record else None
    ship(run, options.out, facts(options, run, "bfloat16" if bf16 else "float32"), start, options.dev)


if __name__ == "__main__":
    main()
