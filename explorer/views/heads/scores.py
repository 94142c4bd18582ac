"""A score of every head with its baseline, and both in words."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from explorer import analysis, assets
from explorer.locale import N_, _, format_number, localised, percent, translate
from explorer.views.heads.head_map import Head, name
from explorer.views.types import Report, Tensor, Trace
from explorer.views.widgets.head_kinds import kind_names
from explorer.views.widgets.numbers import whole_percent

LIVE, REPEATED = "live", "repeated"
DRAWN = "arcs"
SOURCES = {
    "written": N_("200 handwritten sentences"),
    "grammar": N_("300 generated sentences"),
    REPEATED: N_("Repeated random tokens"),
    LIVE: N_("Your sentence"),
}
_LABELS = assets.table(assets.LABELS)
BEHAVIOURS: dict[str, str] = _LABELS["behaviour"]
ON_REPEATED: dict[str, str] = _LABELS["repeated"]
OWN = {DRAWN: N_("Along arcs that you draw")}
REPEATED_SCORES = {"induction": "scores"}  # the field of `Induction`, where its name differs
NUMBERS = ("", "one", N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven"), N_("eight"))
SHARE_RIGHT = N_("% right")
EQUAL = N_("The tick at {share} is a head that attends equally to all it sees.")


@dataclass(frozen=True, eq=False)
class HeadScores:
    """A score of every head, [layer, head], with its baseline and notes on both."""

    grid: "Tensor"
    heading: str
    unit: str  # of the numbers in the cells, in English
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
        return translate(ON_REPEATED | OWN)
    if source == LIVE or report is None:
        return translate(BEHAVIOURS | OWN)
    from explorer.analysis.heads import ALL, MEASURED
    from explorer.analysis.heads.relations import RELATIONS

    relations = report.halves[source].relations
    meaning = translate(RELATIONS | {ALL: N_("every relation but root and punct")})
    labels = {r: f"{meaning[r].capitalize()} ({r})" for r in MEASURED if r in relations}
    return labels | translate(BEHAVIOURS | OWN)


def is_relation(what: str) -> bool:
    """Whether this is a grammatical relation, not a behaviour."""
    return what != DRAWN and what not in BEHAVIOURS and what not in ON_REPEATED


def on_sentences(report: "Report", half: str, what: str, direction: str) -> HeadScores:
    """The scores for a behaviour or a relation on one half of our sentences."""
    if is_relation(what):
        return _relation(report, half, what, direction)
    scores = report.halves[half]
    heading = _("{score}, mean of {count} sentences", score=_score(what), count=scores.sentences)
    return _behaviour(scores.behaviours[what], scores.flat[what], what, heading)


def on_repeated(report: "Report", what: str) -> HeadScores:
    """The scores for induction or a related behaviour on repeated random tokens."""
    induction = report.repeated
    assert induction is not None, "offered only for a model that reads from left to right"
    score = REPEATED_SCORES.get(what, what)
    heading = _("share of attention, mean of {count} texts", count=induction.texts)
    notes = [
        _(EQUAL, share=whole_percent(induction.flat[score])),
        _("Random tokens, repeated four times, have copies but no meaning (Olsson et al. 2022)."),
    ]
    return HeadScores(getattr(induction, score), heading, "%", induction.flat[score], notes)


def on_text(trace: "Trace", what: str) -> HeadScores:
    """The scores for a behaviour on the visitor's own text."""
    from explorer.analysis import heads

    heading = _("{score}, on this text", score=_score(what))
    return _behaviour(heads.behaviours(trace)[what], heads.reference(trace)[what], what, heading)


def _score(what: str) -> str:
    if what == "even":
        return _("evenness of a row")
    return _("mean distance in tokens") if what == "distance" else _("share of attention")


def _behaviour(grid: "Tensor", flat: float, what: str, heading: str) -> HeadScores:
    unit = N_("tokens") if what == "distance" else "%"
    if flat != flat:
        return HeadScores(grid, heading, unit, notes=[_missing_tokens(what)])
    if what == "even":
        notes = [_("Entropy of a row, in % of the greatest possible: 100 where all tokens get the same.")]
        return HeadScores(grid, heading, unit, notes=notes)
    notes = [_(EQUAL, share=localised(f"{flat:.1f}") if unit == "tokens" else whole_percent(flat))]
    return HeadScores(grid, heading, unit, flat, notes)


def _missing_tokens(what: str) -> str:
    if what in ("repeat", "after"):
        return _("No word occurs twice in this text.")
    if what in ("next", "separator"):
        return _("A model that reads from left to right never sees such a token.")
    return _("There is no such token in this text.")


def _relation(report: "Report", half: str, relation: str, direction: str) -> HeadScores:
    answers = report.halves[half].relations[relation][direction]
    offset = offset_words(answers.baseline.offset)
    notes = [
        _(
            "The tick at {share} is the best that anyone can do without reading: always choose {offset}.",
            share=whole_percent(answers.baseline.accuracy),
            offset=offset,
        )
    ]
    if transfer := report.transfer(relation, direction):
        other = report.halves["written"].relations[relation][direction].baseline.accuracy
        notes.append(
            _(
                "The best head on the generated sentences, {head}, is right "
                "for {share} of the handwritten ones (a fixed distance: {other}).",
                head=name(transfer[:2]),
                share=whole_percent(transfer[2]),
                other=whole_percent(other),
            )
        )
    if answers.questions < 20:
        notes.append(_("Only {count} questions: much of this may be chance.", count=answers.questions))
    return HeadScores(
        answers.accuracy,
        _("right for how many of {count} such words", count=format_number(answers.questions)),
        SHARE_RIGHT,
        answers.baseline.accuracy,
        notes,
    )


def offset_words(offset: int) -> str:
    """A fixed offset, in words."""
    if abs(offset) == 1:
        return _("the next word") if offset > 0 else _("the word before")
    number = _(NUMBERS[abs(offset)])
    if offset > 0:
        return _("the word {number} places on", number=number)
    return _("the word {number} places before", number=number)


def tip(head: Head, scores: HeadScores, kinds: "Sequence[analysis.heads.Kind]") -> str:
    """The tooltip of a cell: the value in full, and the kinds of the head."""
    value = float(scores.grid[head])
    if value != value:
        return _("{head}: no value here", head=name(head))
    if scores.unit == "tokens":
        number = _("{value} tokens", value=localised(f"{value:.2f}"))
    else:
        number = localised(f"{100 * value:.1f}")
        number = percent(number) if scores.unit == "%" else f"{number}{_(scores.unit)}"
    names = kind_names(kinds, 5)
    value_here = _("{head}: {does}", head=name(head), does=number)
    return value_here + (f"\n{_('on our sentences: {kinds}', kinds=names)}" if names else "")
