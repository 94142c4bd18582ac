"""One score of every head, in words and numbers: what it is, its honest baseline, who is best at it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.views.heads.head_map import Head, name, percent

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.heads import Kind, Report
    from explorer.trace import Trace

LIVE, REPEATED = "live", "repeated"
SOURCES = {
    "written": "200 by hand",
    "grammar": "300 by a grammar",
    REPEATED: "Random, repeated",
    LIVE: "Your sentence",
}
BEHAVIOURS = {
    "previous": "To the token before",
    "next": "To the token after",
    "same": "To the token itself",
    "first": "To the first token",
    "special": "To special tokens",
    "separator": "To separators, [SEP]",
    "repeat": "To the same word elsewhere",
    "after": "To what followed an earlier copy",
    "even": "To everything equally",
    "distance": "Distance, in tokens",
}
ON_REPEATED = {
    "induction": "Induction: to what followed earlier copies",
    "duplicate": "To earlier copies of the token",
    "previous": "To the token before",
}
REPEATED_SCORES = {"induction": "scores"}  # what the analysis calls it, where that is something else
DIRECTIONS = {"to_head": "From", "to_dependent": "To"}  # a relation
NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True, eq=False)
class Measured:
    """A score of every head, its baseline, and what must be said of both."""

    grid: "Tensor"
    heading: str
    unit: str  # of a cell's number
    baseline: float | None = None
    says: Sequence[str] = field(default_factory=list)


def sources(report: "Report | None", languages: Collection[str]) -> list[str]:
    """Where scores can be had from: our sentences are English; repeated tokens are for causal models."""
    if "en" not in languages:
        return [LIVE]
    without = () if report is not None and report.repeated is not None else (REPEATED,)
    return [source for source in SOURCES if source not in without]


def choices(report: "Report | None", source: str) -> dict[str, str]:
    """What can be asked of a source, by name; relations only where the grammar is known."""
    if source == REPEATED:
        return ON_REPEATED
    if source == LIVE or report is None:
        return BEHAVIOURS
    from explorer.analysis.heads import ALL, MEASURED
    from explorer.analysis.heads.relations import RELATIONS

    asked = report.halves[source].relations
    meaning = RELATIONS | {ALL: "every relation but root and punct"}
    return {r: f"{meaning[r].capitalize()} ({r})" for r in MEASURED if r in asked} | BEHAVIOURS


def is_relation(what: str) -> bool:
    """Whether it is grammar that is asked for."""
    return what not in BEHAVIOURS and what not in ON_REPEATED


def on_sentences(report: "Report", half: str, what: str, direction: str) -> Measured:
    """A behaviour or a relation on one half of the corpus."""
    if is_relation(what):
        return _relation(report, half, what, direction)
    scores = report.halves[half]
    return _behaviour(
        scores.behaviours[what], scores.flat[what], what, f"mean of {scores.sentences} sentences"
    )


def on_repeated(report: "Report", what: str) -> Measured:
    """Induction and its companions on random tokens, repeated."""
    made = report.repeated
    assert made is not None, "offered only for a model that reads from left to right"
    score = REPEATED_SCORES.get(what, what)
    heading = f"share of attention, mean of {made.texts} texts"
    says = [
        f"The tick, {percent(made.flat[score])}: a head that attends equally to all it sees.",
        "Random tokens, repeated four times, have copies but no meaning (Olsson et al. 2022).",
    ]
    return Measured(getattr(made, score), heading, "%", made.flat[score], says)


def on_text(trace: "Trace", what: str) -> Measured:
    """A behaviour on the visitor's own text."""
    from explorer.analysis import heads

    return _behaviour(heads.behaviours(trace)[what], heads.reference(trace)[what], what, "on this text")


def _behaviour(grid: "Tensor", flat: float, what: str, where: str) -> Measured:
    unit = "tokens" if what == "distance" else "%"
    heading = {"even": "evenness of a row", "distance": "mean distance in tokens"}.get(
        what, "share of attention"
    )
    if flat != flat:
        return Measured(grid, f"{heading}, {where}", unit, says=[_missing(what)])
    if what == "even":
        says = ["Entropy of a row, in % of the greatest possible: 100 where all tokens get the same."]
        return Measured(grid, f"{heading}, {where}", unit, says=says)
    told = f"{flat:.1f}" if unit == "tokens" else percent(flat)
    says = [f"The tick, {told}: a head that attends equally to all it sees."]
    return Measured(grid, f"{heading}, {where}", unit, flat, says)


def _missing(what: str) -> str:
    if what in ("repeat", "after"):
        return "No word occurs twice in this text."
    if what in ("next", "separator"):
        return "A model that reads from left to right never sees such a token."
    return "There is no such token in this text."


def _relation(report: "Report", half: str, relation: str, direction: str) -> Measured:
    one = report.halves[half].relations[relation][direction]
    fixed = offset_words(one.baseline.offset)
    says = [f"The tick, {percent(one.baseline.accuracy)}: always {fixed}, the best fixed offset here."]
    if moved := report.transfer(relation, direction):
        other = report.halves["written"].relations[relation][direction].baseline.accuracy
        says.append(
            f"Chosen on the grammar’s sentences, {name(moved[:2])} is right for {percent(moved[2])} "
            f"of those by hand (a fixed offset: {percent(other)})."
        )
    if one.questions < 20:
        says.append(f"Only {one.questions} questions: much of this may be chance.")
    return Measured(
        one.accuracy,
        f"right answers to {one.questions:,} questions",
        "% right",
        one.baseline.accuracy,
        says,
    )


def offset_words(offset: int) -> str:
    """A fixed offset in words.

    >>> offset_words(-3), offset_words(1)
    ('the word three before', 'the next word')
    """
    if abs(offset) == 1:
        return "the next word" if offset > 0 else "the word before"
    return f"the word {NUMBERS[abs(offset)]} {'on' if offset > 0 else 'before'}"


def kind_words(kinds: "Sequence[Kind]", most: int = 3) -> str:
    """The names of a head in short, as `from obj, to aux`; empty where it has none."""
    return ", ".join(
        f"{DIRECTIONS.get(kind.direction, '')} {kind.name}".strip().lower() for kind in kinds[:most]
    )


def tip(head: Head, measured: Measured, kinds: "Sequence[Kind]") -> str:
    """What hovering over a cell tells: the value in full, and what the head is known for."""
    value = float(measured.grid[head])
    if value != value:
        return f"{name(head)}: no value here"
    told = f"{value:.2f} tokens" if measured.unit == "tokens" else f"{100 * value:.1f}{measured.unit}"
    names = kind_words(kinds, 5)
    return f"{name(head)}: {told}" + (f"\non our sentences: {names}" if names else "")
