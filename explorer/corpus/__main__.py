"""`python -m explorer.corpus embed texts/ --words bank --out vectors/`: a word's vectors in large texts."""

import argparse
import importlib.util
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.errors import ExplorerError, NotFoundError

if TYPE_CHECKING:
    from explorer.corpus.shards import plan as plans
    from explorer.corpus.shards.worker import Done

BEAT_S = 2.0  # between two lines of progress


def main(arguments: list[str] | None = None) -> None:
    """Compute what is missing; exits with 1 and a clear line where that is not possible."""
    asked = _parsed(arguments)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        _embed(asked)
    except KeyboardInterrupt:
        sys.exit("Stopped. What is complete stays: the same command goes on from there.")
    except ExplorerError as error:
        sys.exit(f"{error.message}\n{error.hint}")


def _parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m explorer.corpus", description=__doc__)
    commands = parser.add_subparsers(required=True)
    embed = commands.add_parser("embed", help="the vectors of some words, wherever they occur in some texts")
    embed.add_argument("texts", help="a .txt, .csv or .jsonl file, or a folder of them")
    embed.add_argument("--words", nargs="+", required=True, metavar="WORD")
    embed.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="where the vectors go")
    embed.add_argument("--model", default="bert", help="bert, hub:..., folder:..., serve:...")
    embed.add_argument("--layers", nargs="+", type=int, default=[-1], help="0 is the embedding, -1 the last")
    embed.add_argument("--forms", action="store_true", help="find regular endings too: banks, banking")
    embed.add_argument("--float32", action="store_true", help="twice the size; else float16")
    embed.add_argument("--part-mb", type=float, default=16, help="how much text is computed as one")
    embed.add_argument("--encoding", help="of files that are not in UTF-8, such as cp1252")
    embed.add_argument("--columns", nargs="+", default=[], metavar="NAME", help="of tables: text, then sense")
    embed.add_argument("--plain", action="store_true", help="one process, without Ray")
    embed.add_argument("--processes", type=int, default=2, help="each of them loads the model")
    embed.add_argument("--threads", type=int, default=1, help="of the processor, for each process")
    embed.add_argument("--gpus", type=float, default=0, help="a process's share of a card, such as 1 or 0.5")
    embed.add_argument("--cluster", default="", help="a Ray cluster that runs, such as auto")
    return parser.parse_args(arguments)


def _embed(asked: argparse.Namespace) -> None:
    if not asked.plain and importlib.util.find_spec("ray") is None:
        raise NotFoundError(
            "Ray is not installed.",
            "Install it: pip install -r requirements-scale.txt (one process needs none: --plain).",
        )
    import torch

    from explorer.corpus.shards import plan as plans
    from explorer.errors import at_least_one

    at_least_one(processes=asked.processes, threads=asked.threads)
    torch.set_num_threads(asked.threads)
    wanted = plans.Wanted(
        texts=asked.texts,
        words=asked.words,
        model=asked.model,
        layers=asked.layers,
        forms=asked.forms,
        precision="float32" if asked.float32 else "float16",
        part_mb=asked.part_mb,
        encoding=asked.encoding,
        columns=asked.columns,
    )
    with plans.alone(asked.out):
        _say(f"Looking at {asked.texts}")
        plan = plans.prepare(wanted, asked.out)
        _work(plan, asked)
        made = plan.finish()
    for word, total in made.totals.items():
        _say(f"{word}: {total:,} occurrences" if total else f"{word}: it does not occur")
    _say(f"Complete: {asked.out} (Word senses opens it)")


def _work(plan: "plans.Plan", asked: argparse.Namespace) -> None:
    """Compute the missing parts, and say how far it is."""
    total = len(plan.manifest.parts)
    done, found, missing, last = total - len(plan.todo), 0, 0, 0.0
    if done:
        _say(f"{done:,} of {total:,} parts are there already")
    for one in _computed(plan, asked):
        done, found, missing = done + 1, found + sum(one.rows), missing + sum(one.missing)
        if time.monotonic() - last > BEAT_S or done == total:
            last = time.monotonic()
            _say(f"{done:,} of {total:,} parts, {found:,} occurrences now")
    if missing:
        _say(f"{missing:,} occurrences are left out: they come after the last token that the model reads")


def _computed(plan: "plans.Plan", asked: argparse.Namespace) -> Iterator["Done"]:
    from explorer.corpus.shards import plan as plans
    from explorer.corpus.shards import scaled

    if asked.plain:
        if asked.gpus:
            plan.model.network.to("cuda")
        yield from plans.plainly(plan)
        return
    if not plan.todo:
        return
    processes = scaled.Processes(asked.processes, asked.threads, asked.gpus, asked.cluster)
    try:
        scaled.start(processes)
        signal.signal(signal.SIGTERM, _interrupt)  # Ray has put its own in the place of ours
        yield from scaled.with_ray(plan, processes)
    finally:
        scaled.stop()


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
