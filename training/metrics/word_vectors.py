"""One vector for each word: do cosines rank word pairs as people do, and are analogies solved?

The rated lists hold `word<tab>word<tab>rating` a line (Faruqui & Dyer, wordvectors.org, ACL 2014). The file
of analogies is word2vec's (Mikolov, Chen, Corrado, Dean 2013): `: section` lines, then four words a line.
Sections that begin with `gram` ask for forms of words, the others for facts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.errors import AbilityError, NotFoundError, TextError
from explorer.models.language_model import LanguageModel
from training.metrics.figure import Figure, Inputs, number, values

FEWEST = 10  # covered pairs below which a list has no correlation
TOGETHER = 256  # questions per product with the whole vocabulary
QUESTIONS = "questions-words.txt"


@dataclass(frozen=True, eq=False)
class Vectors:
    """Words, with a row of `matrix` for each."""

    words: Sequence[str]
    matrix: Float[Tensor, "word d_model"]

    @cached_property
    def places(self) -> dict[str, int]:
        """Row of each word."""
        return {word: i for i, word in reversed(list(enumerate(self.words)))}

    def place(self, word: str) -> int | None:
        """Row of a word as it is written, else in lower case, or None."""
        return self.places.get(word, self.places.get(word.lower()))


def vectors_of(model: LanguageModel) -> Vectors:
    """Embeddings of all tokens that are whole words, without positions.

    A GPT token is a whole word if it begins with a space. Raises AbilityError for a model without a table of
    tokens.
    """
    table = getattr(getattr(model.network, "tokens", None), "weight", None)
    if table is None:
        raise AbilityError(f"{model.checkpoint} has no table of one vector a token.")
    space = " " if model.tokenizer.byte_level else ""
    readable = [model.tokenizer.readable(id) for id in range(min(model.tokenizer.size, len(table)))]
    whole = [
        id for id, text in enumerate(readable) if text.startswith(space) and text[len(space) :].isalpha()
    ]
    return Vectors([readable[id].strip() for id in whole], table.detach()[whole].float().cpu())


def word_similarity(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Rank correlation with people's ratings of the similarity of two words."""
    return similarity(vectors_of(model), inputs.folder("wordsim"))


def similarity(vectors: Vectors, folder: Path) -> list[Figure]:
    """Mean of the correlations on the lists of a folder (`EN-*.txt`), whatever their size, and each list's.

    Raises NotFoundError if there are none.
    """
    lists = [rated(vectors, path) for path in sorted(folder.glob("EN-*.txt"))]
    if not lists:
        raise NotFoundError(f"{folder} has no lists of rated word pairs.", "Point to a folder with EN-*.txt.")
    correlations = values(lists).values()
    mean = sum(correlations) / len(correlations) if correlations else None
    covered = sum(figure.items for figure in lists)
    return [number("wordsim", "Spearman, mean over lists", mean, covered, "pairs"), *lists]


def rated(vectors: Vectors, path: Path) -> Figure:
    """Spearman's correlation on the pairs of a list that both have a vector; None for too few."""
    from scipy.stats import spearmanr  # takes a second

    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    places = [(vectors.place(a), vectors.place(b), float(rating)) for a, b, rating in rows]
    covered = [(a, b, rating) for a, b, rating in places if a is not None and b is not None]
    correlation = None
    if len(covered) >= FEWEST:
        first, second, ratings = zip(*covered, strict=True)
        cosine = F.cosine_similarity(vectors.matrix[list(first)], vectors.matrix[list(second)], dim=-1)
        correlation = float(spearmanr(cosine.double(), ratings).statistic)
    name, of = path.stem.removeprefix("EN-"), f"of {len(rows):,} pairs"
    return number(f"wordsim/{name}", name, correlation, len(covered), of)


def word_analogies(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Share of analogies solved."""
    path = inputs.folder("wordsim") / QUESTIONS
    if not path.exists():
        raise NotFoundError(f"--dev has no wordsim/{QUESTIONS}")
    return analogies(vectors_of(model), path)


def analogies(vectors: Vectors, path: Path) -> list[Figure]:
    """Share of right answers to all questions, to facts and forms, and in every section.

        answer = argmax_w cos(w, b - a + c) of unit vectors, w none of a, b, c   (3CosAdd)

    The whole vocabulary may answer; a tie counts as wrong. Only questions count whose four words have
    vectors. Raises TextError for a file without questions.
    """
    unit = F.normalize(vectors.matrix, dim=-1)
    counts: dict[str, tuple[int, int, int]] = {}  # right, covered, all
    for name, questions in read_questions(path).items():
        rows = [[vectors.place(word) for word in question] for question in questions]
        covered = [row for row in rows if None not in row and row[3] not in row[:3]]
        parts = torch.tensor(covered).split(TOGETHER) if covered else ()
        counts[name] = sum(int(solved(unit, part).sum()) for part in parts), len(covered), len(questions)
    if not counts:
        raise TextError(f"{path} has no questions.", "Its sections begin with a colon.")
    forms = [name for name in counts if name.startswith("gram")]
    facts = [name for name in counts if name not in forms]
    groups = {"all": list(counts), "facts": facts, "forms": forms} | {name: [name] for name in counts}
    figures = []
    for name, sections in groups.items():
        right, many, questions_ = (sum(counts[section][i] for section in sections) for i in range(3))
        key = "analogies" if name == "all" else f"analogies/{name}"
        accuracy = right / many if many else None
        figures.append(Figure(key, name, accuracy, many, f"of {questions_:,} questions"))
    return figures


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
