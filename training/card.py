"""The card beside a checkpoint: what it is, what made it, how well it does, what it is bad at.

    python -m training.card bert --scores scores.json

writes `assets/checkpoints/bert/card.md` again from the record of its training, the words in
`training/cards/bert.md` and the figures that `training.evaluate --json` gave.
"""

import argparse
import json
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

from explorer import load
from explorer.analysis import prediction, translation, vectors
from explorer.analysis.prediction import judging
from explorer.assets import CHECKPOINTS
from explorer.models import FAMILIES, LanguageModel
from explorer.trace import Ability
from training.metrics.cloze import LINES, blanks_for, read_lines
from training.metrics.figure import Figure
from training.record import Record
from training.samples import drawn, told, with_readings

WORDS = Path(__file__).parent / "cards"
SOURCES = Path(__file__).parent / "sources.md"
BESIDE, BAD = "## Beside published models", "## What it is bad at"  # parts of the words
SAMPLES = 10
TOP = 5
SUSPECTS = 3
HUB = "Weights in float16, in the hub's format; they load in `transformers` unchanged."
FORMAT = {
    "elmo": "Weights in float16 under the names of bilm-tf's `weights.hdf5`, with its options in "
    "`config.json`. `transformers` has no such architecture.",
    "bert-en-zh": "Stored in float16 as a difference to `bert-zh`: the new tokens and, for each matrix, two "
    "narrow ones whose product is added. `transformers` reads it once it is written out as a whole.",
    "word2vec": "Vectors in float16, row by row for the words of `vocab.txt`, the most frequent first. "
    "`transformers` has no such architecture.",
}
BLOCKED = """A short list keeps slurs and vulgarity off the pages where this model predicts: such a word shows
as dots, with its own probability and rank. Words that somebody typed are shown."""


def card(name: str, model: LanguageModel, record: Record) -> str:
    """The card of a checkpoint, as Markdown."""
    facts = vars(model.config) | {
        "d_model": model.config.d_model,
        "parameters": model.parameters / 1e6,
    }
    words, _, weak = (WORDS / f"{name}.md").read_text(encoding="utf-8").partition(BAD)
    what, _, published = words.partition(BESIDE)
    return "\n\n".join(
        [
            f"# {name}",
            what.strip().format(**facts),
            FORMAT.get(name) or FORMAT.get(model_type(model), HUB),
            f"## Training\n\n{training(record)}",
            f"## Text\n\nFiles: {', '.join(record.run['text'])}.\n\n{record.run['sources'].strip()}",
            f"## Scores\n\n{scores(record)}",
            *([f"{BESIDE}\n\n{published.strip()}"] if published else []),
            samples(name, model),
            f"{BAD}\n\n{weak.strip()}\n\n{BLOCKED}",
            f"## How to make it again\n\n```\n{commands(record)}\n```\n",
        ]
    )


def training(record: Record) -> str:
    """Tokens, steps, time and machine of every run that led here."""
    told = []
    for run in (*record.before, record.run):
        spent = timedelta(seconds=round(run["seconds"]))
        what = (
            f"{run['tokens'] / 1e6:.2f} million tokens in {run['steps']:,} steps; {spent} (h:mm:ss) of "
            f"training on {run['machine']}; finished {run['finished']:.0%} of its schedule."
        )
        told.append(" ".join(filter(None, [what, run.get("after")])))
    runs = "\n\nThen, from those weights: ".join(told)
    return f"{runs}\n\n{curve(record)}"


def curve(record: Record) -> str:
    """The figures at the moments of training, as a table."""
    names = [name for name in LABELS if any(name in point["figures"] for point in record.points)]
    if not names:
        return "No figures were taken on the way."
    head = "| tokens read | " + " | ".join(LABELS[name] for name in names) + " |"
    rows = [
        f"| {point['tokens'] / 1e6:.2f} M | "
        + " | ".join(shown(point["figures"].get(name), name) for name in names)
        + " |"
        for point in record.points
    ]
    return "\n".join([head, "|---" * (len(names) + 1) + "|", *rows])


LABELS = {
    "masked_top1": "masked word, first guess",
    "masked_top5": "among five",
    "next_sentence": "next sentence (chance 50 %)",
    "retrieval": "translation found among those kept aside, best layer",
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
PLAIN = (
    "bits",
    "wordsim",
    "pair_nats",
    "french_nats",
    "replaced_nats",
)  # figures that are no shares begin so


def shown(value: float | None, name: str) -> str:
    """A figure as the table shows it."""
    if value is None:
        return ""
    return f"{value:.2f}" if name.startswith(PLAIN) else f"{value:.1%}".replace("%", " %")


def scores(record: Record) -> str:
    """The table of `evaluate`."""
    if not record.scores:
        return "Not measured."
    rows = []
    for kept in record.scores["figures"]:
        figure = Figure(**{name: value for name, value in kept.items() if name != "measure"})
        if figure.value is not None:
            told = "; ".join(filter(None, (figure.told, figure.by_layer)))
            cells = (f"{kept['measure']}: {figure.label}", figure.shown, told)
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(["| measure | figure | on |", "|---|---|---|", *rows])


def samples(name: str, model: LanguageModel) -> str:
    """Samples that nobody chose: the first lines of a list, or prompts and seeds fixed beforehand."""
    if Ability.GENERATE in model.abilities and Ability.FILL not in model.abilities:
        known = with_readings(drawn(model), WORDS / f"{name}-samples.tsv")
        return f"## Twenty samples\n\n{told(known)}"
    return f"## Ten samples\n\n{_ten(model)}"


def _ten(model: LanguageModel) -> str:
    if Ability.FILL in model.abilities:
        return _filled(model)
    if Ability.DETECT in model.abilities:
        return _judged(model)
    if Ability.TRANSLATE in model.abilities:
        return _translated(model)
    if Ability.NEXT_WORD | Ability.PREVIOUS_WORD in model.abilities:
        return _from_both_sides(model)
    if Ability.VECTORS in model.abilities:
        return _nearest(model)
    return "None: this model predicts nothing that could be read."


def _filled(model: LanguageModel) -> str:
    lines = read_lines(blanks_for(model).read_text(encoding="utf-8"))["test"][:SAMPLES]
    told = "The first ten lines of the cloze list's test half, with the five most probable words.\n\n"
    rows = []
    for line in lines:
        guesses = prediction.fill_mask(model, line.text, TOP)[0]
        words = ", ".join(f"{token} {probability:.0%}" for token, probability in guesses)
        rows.append(f"- {line.text} *{words}*")
    return told + "\n".join(rows)


def _judged(model: LanguageModel) -> str:
    """The same lines, each with the first accepted word of the line after it: mostly out of place there."""
    lines = read_lines(LINES.read_text(encoding="utf-8"))["test"][: SAMPLES + 1]
    told = (
        "The first ten lines of the cloze list's test half, each with the word of the line after it in its "
        "blank, and the three tokens that look most like replacements.\n\n"
    )
    rows = []
    for line, after in pairwise(lines):
        text = line.text.replace("[MASK]", min(after.accepted))
        found = judging.suspects(model, text, SUSPECTS)
        rows.append(f"- {text} *{', '.join(f'{token} {p:.0%}' for token, p in found)}*")
    return told + "\n".join(rows)


def _from_both_sides(model: LanguageModel) -> str:
    """The same lines, cut at the blank: one reader has the words before it, the other those after it."""
    lines = read_lines(LINES.read_text(encoding="utf-8"))["test"][:SAMPLES]
    told = (
        "The first ten lines of the cloze list's test half, with the five words that are likeliest in the "
        "blank from the left (knowing nothing after it), and from the right (nothing before it).\n\n"
    )
    rows = []
    for line in lines:
        before, after = line.text.split("[MASK]", 1)
        guessed = [
            ", ".join(f"{word} {probability:.0%}" for word, probability in guesses)
            for guesses in (
                prediction.next_words(model, before, TOP),
                prediction.previous_words(model, after, TOP),
            )
        ]
        rows.append(f"- {line.text} *{guessed[0]}* | *{guessed[1]}*")
    return told + "\n".join(rows).replace("<", "\\<")


def _translated(model: LanguageModel) -> str:
    """The same lines with their first accepted word in the blank: sentences that nobody picked for this."""
    lines = read_lines(LINES.read_text(encoding="utf-8"))["test"][:SAMPLES]
    told = "The first ten lines of the cloze list's test half, their blank filled, with four beams.\n\n"
    texts = [line.text.replace("[MASK]", min(line.accepted)) for line in lines]
    found = translation.translate_many(model, texts)
    return told + "\n".join(f"- {one.source.text} *{one.text}*" for one in found)


def _nearest(model: LanguageModel) -> str:
    table = vectors.of(model)
    words = [table.words[rank - 1] for rank in range(1000, 1000 * SAMPLES + 1, 1000) if rank <= len(table)]
    told = "The words that stand at rank 1,000, 2,000 ... 10,000 by frequency, with the five nearest.\n\n"
    rows = []
    for word in words:
        found = vectors.nearest(table, word, TOP)
        rows.append(f"- {word}: *{', '.join(f'{n.word} {n.cosine:.2f}' for n in found)}*")
    return told + "\n".join(rows)


def model_type(model: LanguageModel) -> str:
    """The family's name in config.json."""
    return next(name for name, family in FAMILIES.items() if isinstance(model.config, family.config))


def commands(record: Record) -> str:
    """The calls that make this checkpoint again, with files by name only."""
    return "\n".join(run["command"] for run in (*record.before, record.run))


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(prog="python -m training.card", description=__doc__)
    p.add_argument("name", help="a bundled checkpoint")
    p.add_argument("--scores", type=Path, help="what `evaluate --json` wrote, to be kept in the record")
    return p


def main(arguments: list[str] | None = None) -> None:
    """Write a card again."""
    a = parser().parse_args(arguments)
    folder = CHECKPOINTS / a.name
    record = Record.read(folder)
    if record is None:
        raise SystemExit(f"{folder} has no record of its training, so there is nothing to write a card from.")
    if a.scores:
        record.scores = json.loads(a.scores.read_text(encoding="utf-8"))
        record.write(folder)
    (folder / "card.md").write_text(card(a.name, load(a.name), record), encoding="utf-8")


if __name__ == "__main__":
    main()
