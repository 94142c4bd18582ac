"""What a checkpoint's card shows of measurements: its guesses, and the figures of `training.evaluate --json`.

    python -m training.card bert --guesses
    python -m training.card bert --scores scores.json

writes five right guesses and five wrong ones into the card, or stores the figures in the record of the
training and writes the card's table of scores from it. The rest of a card is text.
"""

import argparse
import json
import re
from pathlib import Path

import explorer
from explorer.analysis.prediction.masking import MASK
from explorer.analysis.prediction.shannon import Spot, next_words
from explorer.assets import CHECKPOINTS
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.metrics import blanks
from training.metrics.figure import Figure
from training.record import Record

SHOWN = 5
GUESSES = re.compile(r"(?:## Guesses\n\n.*?)?(?=## What it is good at\n)", re.DOTALL)
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


def guesses(model: LanguageModel) -> str:
    """Table of the first right and wrong guesses in the test half of an everyday list, as Markdown."""
    if Ability.FILL in model.abilities:
        path = blanks.CLASSROOM if "en" in model.languages else blanks.CLASSROOM_ZH
        lines = blanks.read_halves(path)["test"]
        words = [word for _, word in blanks.judge(model, lines)]
    else:
        lines = blanks.read_halves(blanks.BEGINNINGS)["test"]
        ends = [Spot(len(line.text) + 1, len(line.text) + 1, "", " ") for line in lines]
        words = [next_words(model, f"{line.text} ", end, 1)[0].token for line, end in zip(lines, ends)]
    columns: dict[bool, list[str]] = {True: [], False: []}
    for line, word in zip(lines, words, strict=True):
        text = line.text if MASK in line.text else f"{line.text} {MASK}"
        columns[word.casefold() in line.accepted].append(text.replace(MASK, f"**{word}**"))
    rows = [f"| {right} | {wrong} |" for right, wrong in zip(*columns.values())][:SHOWN]
    return "\n".join(["| right | wrong |", "|---|---|", *rows])


def with_guesses(card: str, table: str) -> str:
    """A card with a table of guesses, before what the model is good at."""
    says = (
        "The first of each in our list of everyday sentences, with the word that it put in. Right are the "
        "words\nthat we had written down before any model was asked; another may do as well."
    )
    return GUESSES.sub(lambda match: f"## Guesses\n\n{says}\n\n{table}\n\n", card, count=1)


def with_scores(card: str, record: Record) -> str:
    """A card with the scores of a record."""
    return SECTION.sub(lambda match: scores(record), card, count=1)


def main(arguments: list[str] | None = None) -> None:
    """Write a bundled checkpoint's guesses into its card, or its scores into its record and its card."""
    p = argparse.ArgumentParser(prog="python -m training.card", description=__doc__)
    p.add_argument("name", help="a bundled checkpoint")
    what = p.add_mutually_exclusive_group(required=True)
    what.add_argument("--guesses", action="store_true", help="let the model guess, and write the guesses")
    what.add_argument("--scores", type=Path, help="output of `evaluate --json`")
    options = p.parse_args(arguments)
    folder = CHECKPOINTS / options.name
    if options.guesses:
        path, table = folder / "card.md", guesses(explorer.load(options.name))
        path.write_text(with_guesses(path.read_text(encoding="utf-8"), table), encoding="utf-8")
        return
    record = Record.read(folder)
    record.scores = json.loads(options.scores.read_text(encoding="utf-8"))
    record.write(folder)
    path = folder / "card.md"
    path.write_text(with_scores(path.read_text(encoding="utf-8"), record), encoding="utf-8")


if __name__ == "__main__":
    main()
