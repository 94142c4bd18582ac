"""The scores of a checkpoint's card, from the figures that `training.evaluate --json` has measured.

    python -m training.card bert --scores scores.json

stores the figures in the record of the training, and writes the card's table of scores from it. The rest of a
card is text.
"""

import argparse
import json
import re
from pathlib import Path

from explorer.assets import CHECKPOINTS
from training.metrics.figure import Figure
from training.record import Record

SECTION = re.compile(r"(?<=\n## Scores\n\n).*?(?=\n\n)", re.DOTALL)


def scores(record: Record) -> str:
    """Table of the figures of `evaluate`, as Markdown."""
    rows = []
    for content in record.scores["figures"]:
        figure = Figure(**{name: value for name, value in content.items() if name != "measure"})
        if figure.value is not None:
            notes = "; ".join(filter(None, (figure.basis, figure.by_layer)))
            cells = (f"{content['measure']}: {figure.label}", figure.formatted, notes)
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(["| measure | figure | on |", "|---|---|---|", *rows])


def with_scores(card: str, record: Record) -> str:
    """A card with the scores of a record."""
    return SECTION.sub(lambda match: scores(record), card, count=1)


def main(arguments: list[str] | None = None) -> None:
    """Write the scores of a bundled checkpoint into its record and its card."""
    p = argparse.ArgumentParser(prog="python -m training.card", description=__doc__)
    p.add_argument("name", help="a bundled checkpoint")
    p.add_argument("--scores", type=Path, required=True, help="output of `evaluate --json`")
    options = p.parse_args(arguments)
    folder = CHECKPOINTS / options.name
    record = Record.read(folder)
    record.scores = json.loads(options.scores.read_text(encoding="utf-8"))
    record.write(folder)
    path = folder / "card.md"
    path.write_text(with_scores(path.read_text(encoding="utf-8"), record), encoding="utf-8")


if __name__ == "__main__":
    main()
