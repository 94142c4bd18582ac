"""`python -m explorer.corpus embed texts/ --words bank --out vectors/`: a word's vectors in large texts."""

import argparse
import importlib.util
import signal
import sys
from dataclasses import fields
from pathlib import Path

from explorer.errors import ExplorerError, NotFoundError, at_least_one
from explorer.system.console import report


def main(arguments: list[str] | None = None) -> None:
    """Compute the vectors; exits with 1 and a clear line if that is not possible."""
    options = _parse(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        _embed(options)
    except KeyboardInterrupt:
        sys.exit("Stopped. Nothing was written.")
    except ExplorerError as error:
        sys.exit(f"{error.message}\n{error.hint}")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m explorer.corpus", description=__doc__)
    commands = parser.add_subparsers(required=True)
    embed = commands.add_parser("embed", help="the vectors of some words, wherever they occur in some texts")
    embed.add_argument("texts", help="a .txt, .csv, .tsv or .jsonl file, or a folder of them")
    embed.add_argument("--words", nargs="+", required=True, metavar="WORD")
    embed.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="where the vectors go")
    embed.add_argument("--model", default="bert", help="bert, hub:..., folder:..., serve:...")
    embed.add_argument("--layers", nargs="+", type=int, default=[-1], help="0 is the embedding, -1 the last")
    embed.add_argument("--forms", action="store_true", help="find regular endings too: banks, banking")
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
            'Install it: pip install "ray[serve,data]<3" (one process needs none: --plain).',
        )
    import torch

    import explorer
    from explorer.corpus.vectors import computing, ray_data

    at_least_one(processes=options.processes, threads=options.threads)
    torch.set_num_threads(options.threads)
    request = computing.Request(
        **{item.name: getattr(options, item.name) for item in fields(computing.Request)}
    )
    model = explorer.load(options.model)
    if options.plain:
        if options.gpus:
            model.network.to("cuda")
        compute = computing.in_this_process(model, _report_progress)
    else:
        processes = options.processes, options.threads, options.gpus, options.cluster
        compute = ray_data.Processes(explorer.load, *processes).compute
    report(f"Looking at {options.texts}")
    manifest = computing.create(model, request, options.out, compute)
    for word, total in zip(manifest.words, manifest.totals, strict=True):
        report(f"{word}: {total:,} occurrences" if total else f"{word}: it does not occur")
    report(f"Complete: {options.out} (Word senses opens it)")


def _report_progress(files: int, total: int) -> None:
    if files % 10 == 0 or files == total:
        report(f"{files:,} of {total:,} files")


if __name__ == "__main__":
    main()
