"""Analogies: is the vector `king` - `man` + `woman` nearest to `queen`?

The file is that of word2vec (Mikolov, Chen, Corrado, Dean 2013): `: section` lines, then four
words a line. Sections that begin with `gram` ask for forms of words, the others for facts.
"""

from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor

from explorer.errors import TextError
from training.metrics.static import Vectors

TOGETHER = 256  # questions per product with the whole vocabulary


@dataclass(frozen=True)
class Section:
    """Numbers of questions, of `covered` ones (all four words have a vector), and of right answers."""

    right: int
    covered: int
    questions: int

    @property
    def accuracy(self) -> float | None:
        """Share of covered questions that are right; None without any."""
        return self.right / self.covered if self.covered else None


def analogies(vectors: Vectors, path: Path) -> dict[str, Section]:
    """Results of every section, and of `facts`, `forms` and `all` questions.

        answer = argmax_w cos(w, b - a + c) of unit vectors, w none of a, b, c   (3CosAdd)

    The whole vocabulary may answer; a tie counts as wrong. Raises TextError for a file without questions.
    """
    unit = F.normalize(vectors.matrix, dim=-1)
    sections: dict[str, Section] = {}
    for name, questions in read_questions(path).items():
        rows = [[vectors.place(word) for word in question] for question in questions]
        covered_rows = [row for row in rows if None not in row and row[3] not in row[:3]]
        hits = (
            [solved(unit, part) for part in torch.tensor(covered_rows).split(TOGETHER)]
            if covered_rows
            else []
        )
        sections[name] = Section(sum(int(hit.sum()) for hit in hits), len(covered_rows), len(questions))
    if not sections:
        raise TextError(f"{path} has no questions.", "Its sections begin with a colon.")
    forms = [s for name, s in sections.items() if name.startswith("gram")]
    facts = [s for name, s in sections.items() if not name.startswith("gram")]
    return {"all": total(facts + forms), "facts": total(facts), "forms": total(forms)} | sections


def read_questions(path: Path) -> dict[str, list[list[str]]]:
    """Questions of each section, four words each."""
    sections: dict[str, list[list[str]]] = {}
    questions: list[list[str]] = []
    for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
        if line.startswith(":"):
            questions = sections.setdefault(line[1:].strip(), [])
        else:
            questions.append(line.split())
    return sections


def solved(unit: Tensor, questions: Int[Tensor, "question 4"]) -> Tensor:
    """Mask of the questions `a : b = c : d` whose single best answer is d."""
    a, b, c, d = questions.T
    scores = (unit[b] - unit[a] + unit[c]) @ unit.T
    scores.scatter_(1, questions[:, :3], -torch.inf)
    return (scores >= scores.gather(1, d[:, None])).sum(1) == 1


def total(sections: list[Section]) -> Section:
    """Sum of several sections."""
    return Section(*(sum(getattr(s, n) for s in sections) for n in ("right", "covered", "questions")))
