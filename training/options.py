"""Command line of a training run, and the facts of the run for its card."""

import argparse
import logging
import os
from pathlib import Path
from typing import Any

import torch

from training.run.device import keep_freed_memory
from training.run.loop import Run

SECONDS = 3600
# Options that the card's command repeats, in its order, if they are not the default.
RECORDED = (
    "text held_out pairs start sources tokens seconds length trained short masked rate seed threads"
).split()
CUT = ("text", "held_out", "pairs")  # files whose folder the card leaves out
FILES = (  # option, its value, and its help
    ("--held-out", "PATH", "text that is only measured with"),
    ("--pairs", "PATH", "bert-zh, bert-en-zh: English and Chinese sentences, a tab between the two"),
    ("--start", "FOLDER", "checkpoint to continue from; electra: FOLDER-generator, FOLDER-discriminator"),
    ("--dev", "FOLDER", "minimal pairs (word2vec: word pairs) for the record"),
    ("--sources", "PATH", "Markdown on the text's licences"),
    ("--out", "FOLDER", "the checkpoint; default: assets/checkpoints/<model>"),
    ("--run", "FOLDER", "logs and the saved state; default: runs/<model>"),
)


def parser(names: list[str]) -> argparse.ArgumentParser:
    """Command line for the models of these names."""
    p = argparse.ArgumentParser(
        prog="python -m training",
        description="Train a bundled model. The state is saved every few minutes, and the same command "
        "resumes from there. At the end the checkpoint, the record of its training and its card are written.",
    )
    p.add_argument("model", choices=names, help="name of the model")
    files = p.add_argument_group("files")
    files.add_argument(
        "--text",
        type=Path,
        nargs="+",
        metavar="PATH",
        default=[Path(os.environ.get("RIVERBANK_CORPORA", "corpora"))],
        help=".txt or .txt.xz files (a paragraph per line, a blank line between documents), or folders of "
        "en*.txt; default: the folder named by RIVERBANK_CORPORA, else ./corpora. translator: one file of "
        "English and French sentences, a tab between the two",
    )
    for option, metavar, note in FILES:
        files.add_argument(option, type=Path, metavar=metavar, help=note)
    amount = p.add_argument_group("amount and rate")
    amount.add_argument("--seconds", type=float, default=SECONDS, help="budget in seconds of training")
    amount.add_argument("--tokens", type=int, help="budget in tokens (word2vec: words), instead of seconds")
    amount.add_argument("--length", type=int, help="tokens of every row, instead of the schedule's")
    amount.add_argument(
        "--trained",
        type=int,
        metavar="N",
        help="with --start: number of positions that the weights have learnt; later ones begin as copies",
    )
    amount.add_argument("--short", type=float, metavar="SHARE", help="bert, electra: share of rows cut short")
    amount.add_argument("--masked", type=float, metavar="SHARE", help="bert, electra: share of masked words")
    amount.add_argument("--rate", type=float, default=1.0, metavar="FACTOR", help="of the learning rates")
    machine = p.add_argument_group("machine")
    machine.add_argument("--seed", type=int, default=0, help="order of the text")
    machine.add_argument("--device", default="auto", help="auto, cpu or cuda")
    machine.add_argument("--threads", type=int, default=0, help="CPU threads; 0: torch's default")
    machine.add_argument("--save-every", type=float, default=180, metavar="S", help="seconds between states")
    return p


def prepare(threads: int = 0) -> None:
    """Start logging, and set the number of CPU threads (0: torch's default)."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s  %(message)s", datefmt="%H:%M:%S")
    keep_freed_memory()
    if threads:
        torch.set_num_threads(threads)


def command(options: argparse.Namespace) -> str:
    """Command that makes this checkpoint again, with corpus files by name only."""
    defaults, parts = parser([options.model]), []
    for name in RECORDED:
        value = getattr(options, name)
        changed = value != defaults.get_default(name) or name == "text"
        if name == "seconds":
            changed, value = not options.tokens, f"{value:.0f}"
        if changed:
            values = value if isinstance(value, list) else [value]
            words = [str(word.name if name in CUT else word) for word in values]
            parts.append(f"--{name.replace('_', '-')} {' '.join(words)}")
    return f"python -m training {options.model} " + " \\\n    ".join(parts)


def facts(options: argparse.Namespace, run: Run, precision: str) -> dict[str, Any]:
    """What the card says about the run."""
    sources = options.sources
    return {
        "tokens": run.tokens,
        "steps": run.step,
        "seconds": round(run.clock.spent),
        "finished": min(1.0, run.progress),
        "machine": f"{machine(options)}, {precision}",
        "command": command(options),
        "text": [path.name for path in options.text],
        "sources": sources.read_text(encoding="utf-8") if sources else "Its sources were not stated.",
    }


def machine(options: argparse.Namespace) -> str:
    """Device in words."""
    if options.device.type == "cuda":
        return f"one {torch.cuda.get_device_name(options.device)}"
    threads = torch.get_num_threads()
    return f"{threads} CPU thread{'s' if threads > 1 else ''}"
