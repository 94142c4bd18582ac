"""Samples of a card that nobody selected: first lines of a list, or fixed prompts and seeds.

    python -m training.samples gpt

writes twenty samples of a generative model to `training/cards/gpt-samples.tsv`, one a line, with two empty
columns. In each, a reader who does not know the other enters `yes` or `no`: does the text keep to one topic
and make sense? `training.card` puts samples and readings into the card. Prompts (`sets/prompts.txt`), seeds,
temperature and top-p were fixed before any sample was drawn. A reading is valid as long as the weights give
the same text.
"""

import argparse
import csv
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from explorer import load
from explorer.analysis import prediction, translation, vectors
from explorer.analysis.generation import Sampling
from explorer.analysis.prediction import judging
from explorer.errors import FormatError
from explorer.models import LanguageModel
from explorer.trace import Ability
from training.metrics.blanks import CLOZE, Line, cloze_for, read_halves
from training.record import continuation

PROMPTS = Path(__file__).parent / "sets" / "prompts.txt"
CARDS = Path(__file__).parent / "cards"
TEMPERATURE, TOP_P, TOKENS = 0.8, 0.95, 60
COLUMNS = ["seed", "prompt", "text", "reading 1", "reading 2"]
Shown = tuple[str, list[str]]  # what the samples are, and a line for each
ANSWERS = ("yes", "no", "")
COUNT, TOP, SUSPECTS = 10, 5, 3
FIRST = "The first ten lines of the cloze list's test half"


@dataclass(frozen=True)
class Sample:
    """A prompt, the model's continuation with this seed, and two readings: `yes`, `no`, or empty."""

    seed: int
    prompt: str
    text: str
    readings: tuple[str, ...] = ("", "")


def generate_samples(model: LanguageModel) -> list[Sample]:
    """A sample for each prompt; the first has seed 0. Raises AbilityError."""
    prompts = PROMPTS.read_text(encoding="utf-8").splitlines()
    return [
        Sample(seed, prompt, continuation(model, prompt, Sampling(TEMPERATURE, None, TOP_P, seed, TOKENS)))
        for seed, prompt in enumerate(prompts)
    ]


def with_readings(samples: list[Sample], path: Path) -> list[Sample]:
    """Samples with the readings of the same texts in a file. Raises FormatError."""
    stored = read(path) if path.exists() else []
    readings = {(sample.seed, sample.prompt, sample.text): sample.readings for sample in stored}
    return [
        replace(sample, readings=readings.get((sample.seed, sample.prompt, sample.text), ("", "")))
        for sample in samples
    ]


def read(path: Path) -> list[Sample]:
    """Samples of a file. Raises FormatError, which names the line."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    samples = []
    for line, row in enumerate(rows[1:], 2):
        answers = [cell.strip().lower() for cell in row[3:]]
        if len(row) != len(COLUMNS) or not row[0].isdecimal() or not set(answers) <= {*ANSWERS}:
            raise FormatError(
                f"Line {line} of {path.name} is not a sample with two readings.",
                "Leave the first three columns as they are; in the last two write yes, no or nothing.",
            )
        samples.append(Sample(int(row[0]), row[1], row[2].replace("\\n", "\n"), tuple(answers)))
    return samples


def write(samples: list[Sample], path: Path) -> None:
    """Write samples to a file for readings; a line break in a text is written as `\\n`."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(COLUMNS)
        for sample in samples:
            text = sample.text.replace("\n", "\\n")
            rows.writerow([sample.seed, sample.prompt, text, *sample.readings])


def section(samples: list[Sample]) -> str:
    """Samples and readings as a section of the card."""
    head = (
        f"{len(samples)} prompts of our own, {TOKENS} tokens each, temperature {TEMPERATURE}, top-p {TOP_P}, "
        f"seeds 0 to {len(samples) - 1}, all shown. Two readings say of each whether it holds one topic and "
        f"makes sense; {agreement(samples)}."
    )
    rows = []
    for sample in samples:
        text = " / ".join(sample.text.split("\n")).replace("|", "\\|").replace("<", "\\<")
        rows.append(f"| {sample.seed} | **{sample.prompt}**{text} | {' | '.join(sample.readings)} |")
    return "\n".join([head, "", "| seed | text | reading 1 | reading 2 |", "|---|---|---|---|", *rows])


def agreement(samples: list[Sample]) -> str:
    """Number of samples that both readings accept, in words."""
    if any("" in sample.readings for sample in samples):
        return "not all have been read yet"
    both = sum(sample.readings == ("yes", "yes") for sample in samples)
    return f"both say yes of {both} of {len(samples)}"


def samples(name: str, model: LanguageModel) -> str:
    """Section of the card with samples of what the model can do."""
    if Ability.GENERATE in model.abilities and Ability.FILL not in model.abilities:
        readings = with_readings(generate_samples(model), CARDS / f"{name}-samples.tsv")
        return f"## Twenty samples\n\n{section(readings)}"
    show = next(show for ability, show in SHOWN.items() if ability in model.abilities)
    head, rows = show(model)
    return f"## Ten samples\n\n{head}\n\n" + "\n".join(f"- {row}" for row in rows)


def first_lines(path: Path = CLOZE, count: int = COUNT) -> list[Line]:
    """First lines of a cloze list's test half."""
    return read_halves(path)["test"][:count]


def filled_blanks(model: LanguageModel) -> Shown:
    """Most probable words for the blanks."""
    lines = first_lines(cloze_for(model))
    guesses = [percentages(prediction.fill_mask(model, line.text, TOP)[0]) for line in lines]
    rows = [f"{line.text} *{words}*" for line, words in zip(lines, guesses, strict=True)]
    return f"{FIRST}, with the five most probable words.", rows


def suspected_words(model: LanguageModel) -> Shown:
    """Tokens that look replaced, in lines with the first accepted word of the next line in the blank."""
    head = (
        f"{FIRST}, each with the word of the line after it in its "
        "blank, and the three tokens that look most like replacements."
    )
    lines = pairwise(first_lines(count=COUNT + 1))
    texts = [line.text.replace("[MASK]", min(following.accepted)) for line, following in lines]
    return head, [f"{text} *{percentages(judging.suspects(model, text, SUSPECTS))}*" for text in texts]


def words_from_both_sides(model: LanguageModel) -> Shown:
    """Words for the blank from the text before it, and from the text after it."""
    head = (
        f"{FIRST}, with the five words that are likeliest in the "
        "blank from the left (knowing nothing after it), and from the right (nothing before it)."
    )
    rows = []
    for line in first_lines():
        before, after = line.text.split("[MASK]", 1)
        left = percentages(prediction.next_words(model, before, TOP))
        right = percentages(prediction.previous_words(model, after, TOP))
        rows.append(f"{line.text} *{left}* | *{right}*".replace("<", "\\<"))
    return head, rows


def translations(model: LanguageModel) -> Shown:
    """Translations of the lines with their first accepted word in the blank."""
    texts = [line.text.replace("[MASK]", min(line.accepted)) for line in first_lines()]
    rows = [f"{row.source.text} *{row.text}*" for row in translation.translate_many(model, texts)]
    return f"{FIRST}, their blank filled, with four beams.", rows


def nearest_words(model: LanguageModel) -> Shown:
    """Nearest words of words at fixed ranks."""
    table = vectors.of(model)
    words = table.words[999 : 1000 * COUNT : 1000]
    rows = []
    for word in words:
        nearest = ", ".join(f"{n.word} {n.cosine:.2f}" for n in vectors.nearest(table, word, TOP))
        rows.append(f"{word}: *{nearest}*")
    head = "The words that stand at rank 1,000, 2,000 ... 10,000 by frequency, with the five nearest."
    return head, rows


SHOWN = {
    Ability.FILL: filled_blanks,
    Ability.DETECT: suspected_words,
    Ability.TRANSLATE: translations,
    Ability.NEXT_WORD: words_from_both_sides,
    Ability.VECTORS: nearest_words,
}


def percentages(guesses: Iterable[tuple[str, float]]) -> str:
    """Guesses with their probabilities, on one line."""
    return ", ".join(f"{token} {probability:.0%}" for token, probability in guesses)


def main(arguments: list[str] | None = None) -> None:
    """Generate the samples and write them where the readings are entered."""
    p = argparse.ArgumentParser(prog="python -m training.samples", description=__doc__)
    p.add_argument("name", help="a bundled checkpoint that can generate")
    p.add_argument("--out", type=Path, help="default: training/cards/NAME-samples.tsv")
    options = p.parse_args(arguments)
    path = options.out or CARDS / f"{options.name}-samples.tsv"
    write(with_readings(generate_samples(load(options.name)), path), path)


if __name__ == "__main__":
    main()
