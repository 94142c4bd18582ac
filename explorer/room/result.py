"""What a class has answered beside what a model answers: the rows that the wall and the phones show."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from explorer.locale import format_large_number, format_number, percent
from explorer.room.questions import Question
from explorer.room.tally import key, tally

MOST_OWN = 10  # words of the model alone


def whole_percent(share: float) -> str:
    """A share in whole per cent, as a class reads it.

    >>> [whole_percent(share) for share in (0.596, 0.004, 0.0, 0.998, 1.0)]
    ['60%', '<1%', '0%', '>99%', '100%']
    """
    hundredths = round(100 * share)
    if 0 < share < 1 and hundredths in (0, 100):
        return percent("<1" if hundredths == 0 else ">99")
    return percent(hundredths)


@dataclass(frozen=True)
class Row:
    """An answer: how many gave it, and the shares of the class and of the model.

    `key` is the answer as it is counted, `name` as it is shown. The model's share is None where nobody knows
    it; `model_text` then says the most that it can be.
    """

    key: str
    name: str
    count: int = 0
    share: float = 0.0
    model: float | None = None
    model_text: str = ""
    right: bool = False

    @property
    def larger(self) -> float:
        """The larger of its shares."""
        return max(self.share, self.model or 0.0)


@dataclass(frozen=True)
class Result:
    """The rows of a question in the order of its choices or words, of numbers, or of the class's votes.

    `who` is the model's name, empty without one. `merged` names for the key of an answer another one with
    which it is counted, "" where a sentence is taken out. `says` is what follows, in a sentence or two. A
    question of `taste` has no right answer.
    """

    count: int
    rows: tuple[Row, ...]
    who: str
    merged: Mapping[str, str]
    says: str = ""
    taste: bool = False

    def key_of(self, question: Question, answer: str) -> str:
        """The key of the row in which an answer is counted."""
        own = answer if question.choices else key(answer)
        return own if question.kind == "number" else key(self.merged.get(own, own))

    @property
    def leaders(self) -> list[Row]:
        """The most frequent answers of the class, several where it is divided; none before the first."""
        most = max((row.count for row in self.rows), default=0)
        return [row for row in self.rows if most and row.count == most]

    def of_side(self, side: int) -> list[Row]:
        """The sentences for a side that count, named without its number."""
        rows = [row for row in self.rows if row.count and row.name[0] == str(side)]
        return [replace(row, name=row.name[2:]) for row in rows]

    def strongest(self, count: int) -> list[Row]:
        """The right answer and the rows with the largest shares, in their order."""
        ranked = sorted(self.rows, key=lambda row: (not row.right, -row.larger))[:count]
        return [row for row in self.rows if row in ranked]

    def to_json(self) -> str:
        """The result as it is stored for phones."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Result":
        """A stored result."""
        fields = json.loads(text)
        return cls(**fields | {"rows": tuple(Row(**row) for row in fields["rows"])})


def count_answers(
    question: Question,
    answers: Sequence[str],
    model: Mapping[str, float],
    truth: str = "",
    who: str = "",
    merged: Mapping[str, str] | None = None,
) -> Result:
    """The answers of a class, as the store keeps them, beside a model's.

    `model` are probabilities by the words, by the choices, or by the numbers of the words in the sentence;
    for a number its one key is the model's own.
    """
    if question.kind == "number":
        rows = _numbers(question, answers, next(iter(model), ""), truth)
    elif question.kind == "side":
        rows = _sentences(answers, merged or {})
    elif question.kind in ("choice", "token"):
        rows = _choices(question, answers, model, truth)
    else:
        rows = _words(answers, model, truth, merged or {})
    count = len(answers)
    rows = [
        replace(
            row,
            share=row.count / max(count, 1),
            model_text=whole_percent(row.model) if row.model is not None else row.model_text,
        )
        for row in rows
    ]
    return Result(count, tuple(rows), who if model else "", dict(merged or {}))


def number_name(question: Question, value: float) -> str:
    """A number as people read it: a probability as a share, a large one in millions.

    >>> number_name(Question("number", "How many parameters?", low=1e6, high=1e12), 1.24e8)
    '124 million'
    """
    if question.high <= 1:
        return whole_percent(value)
    return format_large_number(value) if value >= 1e6 else format_number(float(f"{value:.6g}"))


def _words(
    answers: Sequence[str], model: Mapping[str, float], truth: str, merged: Mapping[str, str]
) -> list[Row]:
    """The words of the class, the most frequent first, then those that the model alone would write."""
    shares: dict[str, float] = {}
    rows = {key(word): Row(key(word), word, count) for word, count in tally(answers, merged).items()}
    for word, probability in model.items():
        name = merged.get(key(word), word).strip()
        shares[key(name)] = shares.get(key(name), 0.0) + probability
        if len(shares) <= MOST_OWN:
            rows.setdefault(key(name), Row(key(name), name))
    if truth:
        truth = merged.get(key(truth), truth)
        rows.setdefault(key(truth), Row(key(truth), truth))
    least = "<" + whole_percent(min(shares.values())).removeprefix("<") if shares else ""
    return [
        replace(row, model=shares.get(one), model_text=least, right=bool(truth) and one == key(truth))
        for one, row in rows.items()
    ]


def _sentences(answers: Sequence[str], out: Mapping[str, str]) -> list[Row]:
    """The sentences for both sides, each after its side's number; those that are `out` count as none."""
    return [Row(key(one), one, 0 if key(one) in out else count) for one, count in tally(answers).items()]


def _choices(question: Question, answers: Sequence[str], model: Mapping[str, float], truth: str) -> list[Row]:
    """The choices, or the words of the sentence, in their order."""
    rows = []
    for number, choice in enumerate(question.choices):
        own = str(number) if question.kind == "token" else choice
        share = model.get(own, 0.0) if model else None
        rows.append(Row(str(number), choice, answers.count(str(number)), model=share, right=truth == own))
    return rows


def _numbers(question: Question, answers: Sequence[str], own: str, truth: str) -> list[Row]:
    """The numbers of the class, smallest first, and among them the model's and the right one."""
    counts = Counter(answers)
    of_model, right = (question.check(number) if number else "" for number in (own, truth))
    return [
        Row(
            number,
            number_name(question, float(number)),
            counts[number],
            model=1.0 if number == of_model else None,
            right=number == right,
        )
        for number in sorted({*counts, of_model, right} - {""}, key=float)
    ]
