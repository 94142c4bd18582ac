"""`python -m explorer.corpus embed texts/ --words bank --out vectors/`: a word's vectors in large texts."""

import argparse
import importlib.util
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.errors import ExplorerError, NotFoundError, at_least_one
from explorer.system.console import report

if TYPE_CHECKING:
    from explorer.corpus.shards.plan import Plan
    from explorer.corpus.shards.worker import PartResult

INTERVAL_S = 2.0  # between two lines of progress


def main(arguments: list[str] | None = None) -> None:
    """Compute the missing vectors; exits with 1 and a clear line if that is not possible."""
    options = _parse(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _embed(options)
    except KeyboardInterrupt:
        sys.exit("Stopped. What is complete stays: the same command goes on from there.")
    except ExplorerError as error:
        sys.exit(f"{error.message}\n{error.hint}")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m explorer.corpus", description=__doc__)
    commands = parser.add_subparsers(required=True)
    embed = commands.add_parser("embed", help="the vectors of some words, wherever they occur in some texts")
    embed.add_argument("texts", help="a .txt, .csv or .jsonl file, or a folder of them")
    embed.add_argument("--words", nargs="+", required=True, metavar="WORD")
    embed.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="where the vectors go")
    embed.add_argument("--model", default="bert", help="bert, hub:..., folder:..., serve:...")
    embed.add_argument("--layers", nargs="+", type=int, default=[-1], help="0 is the embedding, -1 the last")
    embed.add_argument("--forms", action="store_true", help="find regular endings too: banks, banking")
    embed.add_argument(
        "--float32",
        action="store_const",
        const="float32",
        default="float16",
        dest="precision",
        help="twice the size; else float16",
    )
    embed.add_argument("--part-mb", type=float, default=16, help="how much text is computed as one")
    embed.add_argument("--encoding", help="of files that are not in UTF-8, such as cp1252")
    embed.add_argument("--columns", nargs="+", default=[], metavar="NAME", help="of tables: text, then sense")
    embed.add_argument("--plain", action="store_true", help="one process, without Ray")
    embed.add_argument("--processes", type=int, default=2, help="each of them loads the model")
    embed.add_argument("--threads", type=int, default=1, help="of the processor, for each process")
    embed.add_argument("--gpus", type=float, default=0, help="a process's share of a GPU, such as 1 or 0.5")
    embed.add_argument("--cluster", default="", help="the address of a running Ray cluster, such as auto")
    return parser.parse_args(arguments)


def _embed(options: argparse.Namespace) -> None:
    if not options.plain and importlib.util.find_spec("ray") is None:
        raise NotFoundError(
            "Ray is not installed.",
            "Install it: pip install -r requirements-scale.txt (one process needs none: --plain).",
        )
    import torch

    from explorer.corpus.shards import plan as plans

    at_least_one(processes=options.processes, threads=options.threads)
    torch.set_num_threads(options.threads)
    request = plans.Request(**{item.name: getattr(options, item.name) for item in fields(plans.Request)})
    with plans.lock_folder(options.out):
        report(f"Looking at {options.texts}")
        plan = plans.prepare(request, options.out)
        _compute(plan, options)
        manifest = plan.finish()
    for word, total in manifest.totals.items():
        report(f"{word}: {total:,} occurrences" if total else f"{word}: it does not occur")
    report(f"Complete: {options.out} (Word senses opens it)")


def _compute(plan: "Plan", options: argparse.Namespace) -> None:
    """Compute the missing parts, and print the progress."""
    total = len(plan.manifest.parts)
    parts, occurrences, missing, last = total - len(plan.todo), 0, 0, 0.0
    if parts:
        report(f"{parts:,} of {total:,} parts are there already")
    for result in _results(plan, options):
        parts += 1
        occurrences += sum(result.rows)
        missing += sum(result.missing)
        if time.monotonic() - last > INTERVAL_S or parts == total:
            last = time.monotonic()
            report(f"{parts:,} of {total:,} parts, {occurrences:,} occurrences now")
    if missing:
        report(f"{missing:,} occurrences are left out: they come after the last token that the model reads")


def _results(plan: "Plan", options: argparse.Namespace) -> Iterator["PartResult"]:
    from explorer.corpus.shards import plan as plans
    from explorer.corpus.shards import ray_data

    if options.plain:
        if options.gpus:
            plan.model.network.to("cuda")
        yield from plans.compute_all(plan)
    elif plan.todo:
        processes = ray_data.Processes(options.processes, options.threads, options.gpus, options.cluster)
        yield from ray_data.compute_all(plan, processes)


if __name__ == "__main__":
    main()
