"""Twenty samples of a model that writes, and whether two readings find that they make sense.

    python -m training.samples gpt

prints the samples and writes them to `training/cards/gpt-samples.tsv`, one a line, with two empty
columns. There each of two readings, neither knowing of the other, enters `yes` or `no`: does the text hold
one topic and make sense? `training.card` puts samples and readings into the card. Prompts
(`sets/prompts.txt`), seeds, temperature and top-p were fixed before any sample was drawn. A reading stays as
long as the weights write the same text; for other weights it is asked for anew.
"""

import argparse
import csv
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from explorer import load
from explorer.analysis.generation import Sampling
from explorer.errors import FormatError
from explorer.models import LanguageModel
from training.record import continued

PROMPTS = Path(__file__).parent / "sets" / "prompts.txt"
CARDS = Path(__file__).parent / "cards"
TEMPERATURE, TOP_P, TOKENS = 0.8, 0.95, 60
COLUMNS = ["seed", "prompt", "text", "reading 1", "reading 2"]
ANSWERS = {"yes": True, "no": False, "": None}


@dataclass(frozen=True)
class Sample:
    """A prompt, what the model adds with this seed, and what each reading says of it; None: not read."""

    seed: int
    prompt: str
    text: str
    readings: tuple[bool | None, bool | None] = (None, None)

    @property
    def whole(self) -> str:
        """Prompt and continuation on one line."""
        return " / ".join((self.prompt + self.text).split("\n"))


def drawn(model: LanguageModel) -> list[Sample]:
    """A sample for each prompt; the first has seed 0. Raises AbilityError for a model that does not write."""
    prompts = PROMPTS.read_text(encoding="utf-8").splitlines()
    return [
        Sample(seed, prompt, continued(model, prompt, Sampling(TEMPERATURE, None, TOP_P, seed, TOKENS)))
        for seed, prompt in enumerate(prompts)
    ]


def with_readings(samples: list[Sample], path: Path) -> list[Sample]:
    """The samples with the readings of those that the file has, to the letter. Raises FormatError."""
    known = {(one.seed, one.prompt, one.text): one.readings for one in read(path)} if path.exists() else {}
    return [
        replace(one, readings=known.get((one.seed, one.prompt, one.text), (None, None))) for one in samples
    ]


def read(path: Path) -> list[Sample]:
    """The samples of a file. Raises FormatError for a row that is none, naming its line."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    found = []
    for line, row in enumerate(rows[1:], 2):
        answers = [cell.strip().lower() for cell in row[3:]]
        if len(row) != len(COLUMNS) or not row[0].isdecimal() or not set(answers) <= set(ANSWERS):
            raise FormatError(
                f"Line {line} of {path.name} is no sample with two readings.",
                "Leave the first three columns as they are; in the last two write yes, no or nothing.",
            )
        first, second = (ANSWERS[answer] for answer in answers)
        found.append(Sample(int(row[0]), row[1], row[2].replace("\\n", "\n"), (first, second)))
    return found


def write(samples: list[Sample], path: Path) -> None:
    """The samples as a file to enter readings in; a line break within a text is written as `\\n`."""
    names = {value: answer for answer, value in ANSWERS.items()}
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(COLUMNS)
        for one in samples:
            text = one.text.replace("\n", "\\n")
            rows.writerow([one.seed, one.prompt, text, *(names[answer] for answer in one.readings)])


def told(samples: list[Sample]) -> str:
    """The samples and their readings as a card has them."""
    head = (
        f"{len(samples)} prompts of our own, {TOKENS} tokens each, temperature {TEMPERATURE}, top-p {TOP_P}, "
        f"seeds 0 to {len(samples) - 1}, all shown. Two readings say of each whether it holds one topic and "
        f"makes sense; {_counted(samples)}."
    )
    rows = [
        f"| {one.seed} | **{one.prompt}**{_cell(one)} | {_said(one.readings[0])} | {_said(one.readings[1])} |"
        for one in samples
    ]
    return "\n".join([head, "", "| seed | text | reading 1 | reading 2 |", "|---|---|---|---|", *rows])


def _counted(samples: list[Sample]) -> str:
    if any(None in one.readings for one in samples):
        return "not all have been read yet"
    return f"both say yes of {sum(all(one.readings) for one in samples)} of {len(samples)}"


def _cell(one: Sample) -> str:
    """A continuation within a table of Markdown."""
    return " / ".join(one.text.split("\n")).replace("|", "\\|").replace("<", "\\<")


def _said(answer: bool | None) -> str:
    return "" if answer is None else "yes" if answer else "no"


def main(arguments: list[str] | None = None) -> None:
    """Draw the samples, print them and keep them where the readings are entered."""
    p = argparse.ArgumentParser(prog="python -m training.samples", description=__doc__)
    p.add_argument("name", help="a bundled checkpoint that writes")
    p.add_argument("--out", type=Path, help="default: training/cards/NAME-samples.tsv")
    a = p.parse_args(arguments)
    path = a.out or CARDS / f"{a.name}-samples.tsv"
    samples = with_readings(drawn(load(a.name)), path)
    write(samples, path)
    sys.stdout.writelines(f"{one.seed}. {one.whole}\n\n" for one in samples)


if __name__ == "__main__":
    main()
