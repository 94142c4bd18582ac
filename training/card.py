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
from typing import Any

import explorer
from explorer.analysis.prediction.masking import MASK
from explorer.analysis.prediction.shannon import Spot, next_words
from explorer.assets import CHECKPOINTS, RECORD
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.metrics import blanks
from training.metrics.figure import Figure

SHOWN = 5
GUESSES = re.compile(r"(?:## Guesses\n\n.*?)?(?=## What it is good at\n)", re.DOTALL)
SECTION = re.compile(r"(?<=\n## Scores\n\n).*?(?=\n\n)", re.DOTALL)


def score_table(scores: dict[str, Any]) -> str:
    """Table of the figures of `evaluate`, as Markdown."""
    rows = []
    for content in scores["figures"]:
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


def with_scores(card: str, scores: dict[str, Any]) -> str:
    """A card with the figures of `evaluate`."""
    return SECTION.sub(lambda match: score_table(scores), card, count=1)


def main(arguments: list[str] | None = None) -> None:
    """Write a bundled checkpoint's guesses into its card, or its scores into its record and its card."""
    p = argparse.ArgumentParser(prog="python -m training.card", description=__doc__)
    p.add_argument("name", help="a bundled checkpoint")
    what = p.add_mutually_exclusive_group(required=True)
    what.add_argument("--guesses", action="store_true", help="let the model guess, and write the guesses")
    what.add_argument("--scores", type=Path, help="output of `evaluate --json`")
    options = p.parse_args(arguments)
    folder = CHECKPOINTS / options.name
    card = (folder / "card.md").read_text(encoding="utf-8")
    if options.guesses:
        card = with_guesses(card, guesses(explorer.load(options.name)))
    else:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        record["scores"] = json.loads(options.scores.read_text(encoding="utf-8"))
        text = json.dumps(record, ensure_ascii=False, indent=1)
        (folder / RECORD).write_text(text + "\n", encoding="utf-8")
        card = with_scores(card, record["scores"])
    (folder / "card.md").write_text(card, encoding="utf-8")


if __name__ == "__main__":
    main()
