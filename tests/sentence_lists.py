"""The lists of sentences that figures of the cards are of (`measuring/sets/README.md`)."""

from dataclasses import dataclass
from pathlib import Path

SETS = Path(__file__).parents[1] / "measuring" / "sets"
CLOZE, CLASSROOM, CLASSROOM_ZH, BEGINNINGS = (
    SETS / f"{name}.tsv" for name in ("cloze", "classroom", "classroom-zh", "beginnings")
)


@dataclass(frozen=True)
class Line:
    """A sentence with one [MASK], or a beginning, and the words accepted there, in lower case."""

    text: str
    accepted: frozenset[str]


def read_halves(path: Path) -> dict[str, list[Line]]:
    """Lines `sentence<tab>word,word` of a list in two halves: odd lines are dev, even ones test."""
    rows = [row.split("\t") for row in path.read_text(encoding="utf-8").splitlines()]
    lines = [Line(sentence, frozenset(words.lower().split(","))) for sentence, words in rows]
    return {"dev": lines[::2], "test": lines[1::2]}
