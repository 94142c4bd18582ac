"""A score of every head with its baseline, and both in words."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from explorer import analysis, assets
from explorer.views.heads.head_map import Head, name
from explorer.views.types import Report, Tensor, Trace
from explorer.views.widgets.head_kinds import kind_names
from explorer.views.widgets.numbers import whole_percent

LIVE, REPEATED = "live", "repeated"
DRAWN = "arcs"
SOURCES = {
    "written": "200 handwritten sentences",
    "grammar": "300 generated sentences",
    REPEATED: "Repeated random tokens",
    LIVE: "Your sentence",
}
_LABELS = assets.table(assets.LABELS)
BEHAVIOURS: dict[str, str] = _LABELS["behaviour"]
ON_REPEATED: dict[str, str] = _LABELS["repeated"]
OWN = {DRAWN: "Along arcs that you draw"}
REPEATED_SCORES = {"induction": "scores"}  # the field of `Induction`, where its name differs
NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True, eq=False)
class HeadScores:
    """A score of every head, [layer, head], with its baseline and notes on both."""

    grid: "Tensor"
    heading: str
    unit: str  # of the numbers in the cells
    baseline: float | None = None
    notes: Sequence[str] = field(default_factory=list)


def sources(report: "Report | None", languages: Collection[str]) -> list[str]:
    """The texts that a model can be measured on.

    Our sentences need a model of English, and repeated tokens one that reads from left to right.
    """
    if "en" not in languages:
        return [LIVE]
    without = () if report is not None and report.repeated is not None else (REPEATED,)
    return [source for source in SOURCES if source not in without]


def choices(report: "Report | None", source: str) -> dict[str, str]:
    """The behaviours and relations that can be measured on a source, with their labels; arcs on any.

    Relations need parsed sentences.
    """
    if source == REPEATED:
        return ON_REPEATED | OWN
    if source == LIVE or report is None:
        return BEHAVIOURS | OWN
    from explorer.analysis.heads import ALL, MEASURED
    from explorer.analysis.heads.relations import RELATIONS

    relations = report.halves[source].relations
    meaning = RELATIONS | {ALL: "every relation but root and punct"}
    labels = {r: f"{meaning[r].capitalize()} ({r})" for r in MEASURED if r in relations}
    return labels | BEHAVIOURS | OWN


def is_relation(what: str) -> bool:
    """Whether this is a grammatical relation, not a behaviour."""
    return what != DRAWN and what not in BEHAVIOURS and what not in ON_REPEATED


def on_sentences(report: "Report", half: str, what: str, direction: str) -> HeadScores:
    """The scores for a behaviour or a relation on one half of our sentences."""
    if is_relation(what):
        return _relation(report, half, what, direction)
    scores = report.halves[half]
    return _behaviour(
        scores.behaviours[what], scores.flat[what], what, f"mean of {scores.sentences} sentences"
    )


def on_repeated(report: "Report", what: str) -> HeadScores:
    """The scores for induction or a related behaviour on repeated random tokens."""
    induction = report.repeated
    assert induction is not None, "offered only for a model that reads from left to right"
    score = REPEATED_SCORES.get(what, what)
    heading = f"share of attention, mean of {induction.texts} texts"
    notes = [
        f"The tick at {whole_percent(induction.flat[score])} is a head that attends equally to all it sees.",
        "Random tokens, repeated four times, have copies but no meaning (Olsson et al. 2022).",
    ]
    return HeadScores(getattr(induction, score), heading, "%", induction.flat[score], notes)


def on_text(trace: "Trace", what: str) -> HeadScores:
    """The scores for a behaviour on the visitor's own text."""
    from explorer.analysis import heads

    return _behaviour(heads.behaviours(trace)[what], heads.reference(trace)[what], what, "on this text")


def _behaviour(grid: "Tensor", flat: float, what: str, source: str) -> HeadScores:
    unit = "tokens" if what == "distance" else "%"
    heading = {"even": "evenness of a row", "distance": "mean distance in tokens"}.get(
        what, "share of attention"
    )
    if flat != flat:
        return HeadScores(grid, f"{heading}, {source}", unit, notes=[_missing_tokens(what)])
    if what == "even":
        notes = ["Entropy of a row, in % of the greatest possible: 100 where all tokens get the same."]
        return HeadScores(grid, f"{heading}, {source}", unit, notes=notes)
    baseline = f"{flat:.1f}" if unit == "tokens" else whole_percent(flat)
    notes = [f"The tick at {baseline} is a head that attends equally to all it sees."]
    return HeadScores(grid, f"{heading}, {source}", unit, flat, notes)


def _missing_tokens(what: str) -> str:
    if what in ("repeat", "after"):
        return "No word occurs twice in this text."
    if what in ("next", "separator"):
        return "A model that reads from left to right never sees such a token."
    return "There is no such token in this text."


def _relation(report: "Report", half: str, relation: str, direction: str) -> HeadScores:
    answers = report.halves[half].relations[relation][direction]
    offset = offset_words(answers.baseline.offset)
    notes = [
        f"The tick at {whole_percent(answers.baseline.accuracy)} is the best that anyone can do without "
        f"reading: always choose {offset}."
    ]
    if transfer := report.transfer(relation, direction):
        other = report.halves["written"].relations[relation][direction].baseline.accuracy
        notes.append(
            f"The best head on the generated sentences, {name(transfer[:2])}, is right "
            f"for {whole_percent(transfer[2])} of the handwritten ones (a fixed distance: "
            f"{whole_percent(other)})."
        )
    if answers.questions < 20:
        notes.append(f"Only {answers.questions} questions: much of this may be chance.")
    return HeadScores(
        answers.accuracy,
        f"right for how many of {answers.questions:,} such words",
        "% right",
        answers.baseline.accuracy,
        notes,
    )


def offset_words(offset: int) -> str:
    """A fixed offset, in words."""
    if abs(offset) == 1:
        return "the next word" if offset > 0 else "the word before"
    return f"the word {NUMBERS[abs(offset)]} places {'on' if offset > 0 else 'before'}"


def tip(head: Head, scores: HeadScores, kinds: "Sequence[analysis.heads.Kind]") -> str:
    """The tooltip of a cell: the value in full, and the kinds of the head."""
    value = float(scores.grid[head])
    if value != value:
        return f"{name(head)}: no value here"
    number = f"{value:.2f} tokens" if scores.unit == "tokens" else f"{100 * value:.1f}{scores.unit}"
    names = kind_names(kinds, 5)
    return f"{name(head)}: {number}" + (f"\non our sentences: {names}" if names else "")
