"""`python -m training NAME`: train a bundled model again, and write its checkpoint and record."""

import argparse
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from explorer import load
from explorer.models.precision import faster_in_bfloat16
from training.average import export
from training.loop import Run, Task
from training.recipes import (
    Sources,
    bert,
    bert_en_zh,
    bert_mini,
    bert_zh,
    electra,
    elmo,
    gpt,
    translator,
    word2vec,
)
from training.record import NUMBERS, PROBABILITY, Record, curve, fixed_sentences, point
from training.text import Corpus

RECIPES = {
    "bert": bert.begin,
    "bert-mini": bert_mini.begin,
    "bert-zh": bert_zh.begin,
    "bert-en-zh": bert_en_zh.begin,
    "electra": electra.begin,
    "gpt": gpt.begin,
    "elmo": elmo.begin,
    "translator": translator.begin,
    "word2vec": word2vec.begin,
}
SECONDS = 3600.0
CUT = ("text", "held_out", "pairs")  # files whose folder the card leaves out


def parser() -> argparse.ArgumentParser:
    """The command line; the card repeats what is given, in this order."""
    p = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    p.add_argument("model", choices=list(RECIPES))
    files: dict[str, Any] = {"type": Path, "metavar": "PATH"}
    text = "files with a paragraph per line, a blank line between documents; translator: one file of pairs"
    p.add_argument("--text", nargs="+", required=True, help=text, **files)
    p.add_argument("--held-out", help="text that is only measured with", **files)
    p.add_argument("--pairs", help="bert-zh, bert-en-zh: English, a tab, Chinese", **files)
    p.add_argument("--start", help="checkpoint to continue; electra: without its -generator", **files)
    p.add_argument("--sources", help="Markdown on the text's licences, for the card", **files)
    p.add_argument("--tokens", type=int, help="budget in tokens (word2vec: words), instead of seconds")
    p.add_argument("--seconds", type=float, default=SECONDS, help="budget in seconds of training")
    p.add_argument("--length", type=int, help="tokens of every row, instead of the schedule's")
    p.add_argument(
        "--trained", type=int, help="with --start: positions that are learnt; later ones are copies"
    )
    p.add_argument("--short", type=float, help="bert, electra: share of rows cut short")
    p.add_argument("--masked", type=float, help="bert, electra: share of masked words")
    p.add_argument("--rate", type=float, default=1.0, help="factor of the learning rates")
    p.add_argument("--seed", type=int, default=0, help="order of the text")
    p.add_argument("--threads", type=int, default=0, help="CPU threads; 0: torch's default")
    p.add_argument("--out", help="the checkpoint's folder, by default in assets/checkpoints", **files)
    return p


def begin(options: argparse.Namespace) -> Task:
    """Task of a model, with the changes to its schedule that the options ask for."""
    sources = Sources(tuple(options.text), options.pairs, options.start, options.rate)
    task: Task = RECIPES[options.model](sources)
    schedule = task.schedule
    if options.length:
        schedule = replace(schedule, lengths=((0.0, options.length),))
    if options.start and schedule.copy_positions:
        longest = max(length for _, length in schedule.lengths)
        schedule = replace(schedule, trained=options.trained or longest)
    if options.short is not None:
        schedule = replace(schedule, short=options.short)
    if options.masked:
        schedule = replace(schedule, masked=(options.masked, options.masked))
    task.schedule = schedule
    return task


def command(options: argparse.Namespace) -> str:
    """Command that makes this checkpoint again, with corpus files by name only."""
    defaults, parts = parser(), []
    for name, value in vars(options).items():
        if name in ("model", "out") or value == defaults.get_default(name):
            continue
        values = value if isinstance(value, list) else [value]
        words = [word.name if name in CUT else f"{word:g}" if name == "seconds" else word for word in values]
        parts.append(f"--{name.replace('_', '-')} {' '.join(map(str, words))}")
    return f"python -m training {options.model} " + " \\\n    ".join(parts)


def facts(options: argparse.Namespace, run: Run) -> dict[str, Any]:
    """What the card says about the run."""
    threads, sources = torch.get_num_threads(), options.sources
    machine = f"{threads} CPU thread{'s' if threads > 1 else ''}"
    return {
        "tokens": run.tokens,
        "steps": run.step,
        "seconds": round(run.seconds),
        "finished": min(1.0, run.progress),
        "machine": f"{machine}, {'bfloat16' if run.bf16 else 'float32'}",
        "command": command(options),
        "text": [path.name for path in options.text],
        "sources": sources.read_text(encoding="utf-8") if sources else "Its sources were not stated.",
    }


def main(arguments: list[str] | None = None) -> None:
    """Train until the budget is spent, then write the checkpoint and the record of its training."""
    options = parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s  %(message)s", datefmt="%H:%M:%S")
    if options.threads:
        torch.set_num_threads(options.threads)
    task = begin(options)
    held_out = Corpus.open(options.held_out) if options.held_out else None
    points: dict[str, list[dict[str, Any]]] = {half: [] for half in task.curves}

    def measure(run: Run) -> None:
        for half, figures in point(task, held_out).items():
            points[half].append(run.place | figures)

    bf16 = options.model != "word2vec" and faster_in_bfloat16()
    run = Run(task, options.tokens, options.seconds, bf16, options.seed, options.rate, measure)
    run.train()
    out = options.out or Path("assets") / "checkpoints" / options.model
    for half, network in task.networks().items():
        folder = out.with_name(out.name + half)
        export(network, task.write_tokenizer, folder)
        sentences = fixed_sentences(load(f"folder:{folder}"))
        loss = curve(run.log, task.curves[half])
        record = Record(
            sentences, points[half], loss, facts(options, run), numbers=NUMBERS.get(sentences, PROBABILITY)
        )
        record.write(folder)
        task.after_export(folder)


if __name__ == "__main__":
    main()
