"""Card of a checkpoint: what it is, what it is good and bad at, how well it does, how it was made.

    python -m training.card bert --scores scores.json

writes `assets/checkpoints/bert/card.md` from the record of its training, the text in `training/cards/bert.md`
and the figures of `training.evaluate --json`.
"""

import argparse
import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from explorer import load
from explorer.assets import CHECKPOINTS
from explorer.models import LanguageModel
from training.metrics.figure import Figure
from training.record import Record
from training.samples import CARDS, samples

# Headings in the text.
BESIDE, GOOD, BAD = "## Beside published models", "## What it is good at", "## What it is bad at"
BLOCKED = """A short list keeps slurs and vulgarity off the pages where this model predicts: such a word shows
as dots, with its own probability and rank. Words that somebody typed are shown."""
LABELS = {
    "masked_top1": "masked word, first guess",
    "masked_top5": "among five",
    "next_sentence": "next sentence (chance 50 %)",
    "retrieval": "translation found among held-out ones, best layer",
    "replaced_f1": "F1 of “replaced”",
    "replaced_nats": "loss per judged word (nats)",
    "bits_per_byte": "bits per byte",
    "french_nats": "held-out loss per French token (nats)",
    "bits_next": "next word (bits per word)",
    "bits_previous": "word before (bits per word)",
    "cloze": "cloze list, among ten",
    "classroom": "everyday sentences, first guess",
    "repeats": "first guess repeats a word",
    "zorro": "minimal pairs (chance 50 %)",
    "analogies": "analogies",
    "wordsim": "WordSim-353 (Spearman)",
    "pair_nats": "held-out loss per pair (nats)",
}
# Figures that are no shares start with one of these.
NO_SHARES = ("bits", "wordsim", "pair_nats", "french_nats", "replaced_nats")


def card(name: str, model: LanguageModel, record: Record) -> str:
    """Card of a checkpoint, as Markdown."""
    sizes = vars(model.config) | {"d_model": model.config.d_model, "parameters": model.parameters / 1e6}
    text, _, weak = (CARDS / f"{name}.md").read_text(encoding="utf-8").partition(BAD)
    text, _, strong = text.partition(GOOD)
    description, _, published = text.partition(BESIDE)
    what, _, background = description.strip().format(**sizes).partition("\n\n")
    heading = "" if background.startswith("## ") else "## How it was made\n\n"
    runs = [*record.before, record.run]
    commands = "\n".join(run["command"] for run in runs)
    return "\n\n".join(
        [
            f"# {name}",
            what,
            f"{GOOD}\n\n{strong.strip()}",
            f"{BAD}\n\n{weak.strip()}\n\n{BLOCKED}",
            samples(name, model),
            f"## Scores\n\n{scores(record)}",
            *([f"{BESIDE}\n\n{published.strip()}"] if published else []),
            *([f"{heading}{background}"] if background else []),
            f"## Text\n\nFiles: {', '.join(record.run['text'])}.\n\n{record.run['sources'].strip()}",
            f"## Training\n\n{training(runs)}\n\n{curve(record)}",
            f"## How to make it again\n\n```\n{commands}\n```\n",
        ]
    )


def training(runs: Sequence[dict[str, Any]]) -> str:
    """Tokens, steps, time and machine of every run."""
    paragraphs = []
    for run in runs:
        duration = timedelta(seconds=round(run["seconds"]))
        facts = (
            f"{run['tokens'] / 1e6:.2f} million tokens in {run['steps']:,} steps; {duration} (h:mm:ss) of "
            f"training on {run['machine']}; finished {run['finished']:.0%} of its schedule."
        )
        paragraphs.append(" ".join(filter(None, [facts, run.get("after")])))
    return "\n\nThen, from those weights: ".join(paragraphs)


def curve(record: Record) -> str:
    """Figures at the milestones of training, as a table."""
    names = [name for name in LABELS if any(name in point["figures"] for point in record.points)]
    if not names:
        return "No figures were taken on the way."
    head = "| tokens read | " + " | ".join(LABELS[name] for name in names) + " |"
    rows = [
        f"| {point['tokens'] / 1e6:.2f} M | "
        + " | ".join(cell(point["figures"].get(name), name) for name in names)
        + " |"
        for point in record.points
    ]
    return "\n".join([head, "|---" * (len(names) + 1) + "|", *rows])


def cell(value: float | None, name: str) -> str:
    """Figure in the table: a share as a percentage, any other with two decimals."""
    if value is None:
        return ""
    return f"{value:.2f}" if name.startswith(NO_SHARES) else f"{value:.1%}".replace("%", " %")


def scores(record: Record) -> str:
    """Table of the figures of `evaluate`."""
    if not record.scores:
        return "Not measured."
    rows = []
    for content in record.scores["figures"]:
        figure = Figure(**{name: value for name, value in content.items() if name != "measure"})
        if figure.value is not None:
            notes = "; ".join(filter(None, (figure.basis, figure.by_layer)))
            cells = (f"{content['measure']}: {figure.label}", figure.formatted, notes)
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(["| measure | figure | on |", "|---|---|---|", *rows])


def write_card(name: str, folder: Path, record: Record) -> None:
    """Write record and card of a checkpoint into its folder."""
    record.write(folder)
    text = card(name, load(f"folder:{folder.absolute()}"), record)
    (folder / "card.md").write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> None:
    """Write the card of a bundled checkpoint again."""
    p = argparse.ArgumentParser(prog="python -m training.card", description=__doc__)
    p.add_argument("name", help="a bundled checkpoint")
    p.add_argument("--scores", type=Path, help="output of `evaluate --json`, to be stored in the record")
    options = p.parse_args(arguments)
    folder = CHECKPOINTS / options.name
    record = Record.read(folder)
    if record is None:
        raise SystemExit(f"{folder} has no record of its training, so there is nothing to write a card from.")
    if options.scores:
        record.scores = json.loads(options.scores.read_text(encoding="utf-8"))
    write_card(options.name, folder, record)


if __name__ == "__main__":
    main()
