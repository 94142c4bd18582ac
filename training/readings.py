"""Twenty samples of a generative model, and two independent readings of each.

    python -m training.readings gpt

writes the samples to `training/cards/gpt-samples.tsv`, one a line, with two empty columns. In each, a reader
who does not know the other enters `yes` or `no`: does the text keep to one topic and make sense?
`training.card` puts samples and readings into the card. Prompts (`sets/prompts.txt`), seeds, temperature and
top-p were fixed before any sample was drawn. A reading is valid as long as the weights give the same text.
"""

import argparse
import csv
from dataclasses import dataclass, replace
from pathlib import Path

from explorer import load
from explorer.analysis.generation import Sampling
from explorer.errors import FormatError
from explorer.models import LanguageModel
from training.record import continuation

PROMPTS = Path(__file__).parent / "sets" / "prompts.txt"
CARDS = Path(__file__).parent / "cards"
TEMPERATURE, TOP_P, TOKENS = 0.8, 0.95, 60
COLUMNS = ["seed", "prompt", "text", "reading 1", "reading 2"]
ANSWERS = {"yes": True, "no": False, "": None}


@dataclass(frozen=True)
class Sample:
    """A prompt, the model's continuation with this seed, and two readings; None: not read."""

    seed: int
    prompt: str
    text: str
    readings: tuple[bool | None, bool | None] = (None, None)


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
        replace(sample, readings=readings.get((sample.seed, sample.prompt, sample.text), (None, None)))
        for sample in samples
    ]


def read(path: Path) -> list[Sample]:
    """Samples of a file. Raises FormatError, which names the line."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    samples = []
    for line, row in enumerate(rows[1:], 2):
        answers = [cell.strip().lower() for cell in row[3:]]
        if len(row) != len(COLUMNS) or not row[0].isdecimal() or not set(answers) <= set(ANSWERS):
            raise FormatError(
                f"Line {line} of {path.name} is not a sample with two readings.",
                "Leave the first three columns as they are; in the last two write yes, no or nothing.",
            )
        first, second = (ANSWERS[answer] for answer in answers)
        samples.append(Sample(int(row[0]), row[1], row[2].replace("\\n", "\n"), (first, second)))
    return samples


def write(samples: list[Sample], path: Path) -> None:
    """Write samples to a file for readings; a line break in a text is written as `\\n`."""
    names = {value: answer for answer, value in ANSWERS.items()}
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(COLUMNS)
        for sample in samples:
            text = sample.text.replace("\n", "\\n")
            rows.writerow([sample.seed, sample.prompt, text, *(names[answer] for answer in sample.readings)])


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
        answers = ["" if answer is None else "yes" if answer else "no" for answer in sample.readings]
        rows.append(f"| {sample.seed} | **{sample.prompt}**{text} | {answers[0]} | {answers[1]} |")
    return "\n".join([head, "", "| seed | text | reading 1 | reading 2 |", "|---|---|---|---|", *rows])


def agreement(samples: list[Sample]) -> str:
    """Number of samples that both readings accept, in words."""
    if any(None in sample.readings for sample in samples):
        return "not all have been read yet"
    return f"both say yes of {sum(all(sample.readings) for sample in samples)} of {len(samples)}"


def main(arguments: list[str] | None = None) -> None:
    """Generate the samples and write them where the readings are entered."""
    p = argparse.ArgumentParser(prog="python -m training.readings", description=__doc__)
    p.add_argument("name", help="a bundled checkpoint that can generate")
    p.add_argument("--out", type=Path, help="default: training/cards/NAME-samples.tsv")
    options = p.parse_args(arguments)
    path = options.out or CARDS / f"{options.name}-samples.tsv"
    write(with_readings(generate_samples(load(options.name)), path), path)


if __name__ == "__main__":
    main()
