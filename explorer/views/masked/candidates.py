"""The candidates for a blank and the words looked up in it, as the rows of bars and as a table to save."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer import analysis
from explorer.locale import _, translate
from explorer.views import kit
from explorer.views.frame import reading_turn
from explorer.views.masked import blanks
from explorer.views.masked.sentence import listed
from explorer.views.masked.settings import PROBE, K
from explorer.views.types import Blanks, Model, Probe
from explorer.views.widgets.first_guess import repeats

if TYPE_CHECKING:
    from explorer.analysis.prediction.fill import Candidate

PROBED = 3  # words looked up at once


@dataclass(frozen=True, eq=False)
class BlankCandidates:
    """Blank number `number` of a text, the word hidden there, its candidates, and the words looked up."""

    read: str
    number: int
    hidden: str
    candidates: "list[Candidate]"
    probes: "list[Probe]"
    predictions: "Blanks"

    def probability(self, id: int) -> float:
        """The probability of a token in this blank."""
        return float(self.predictions.probabilities[self.number][id])


def for_blank(
    model: "Model", settings: kit.Settings, read: str, number: int, hidden: str, last: int = 0
) -> BlankCandidates:
    """The candidates for one blank of a text; `last` is the number of the last one that is needed.

    Raises TextError for a text without a blank.
    """
    part = reading_turn.until(model, read, max(number, last))
    predictions = expected(model, part)
    number = max(min(number, len(predictions.positions) - 1), 0)
    probes = [look_up(model, part, word, number) for word in listed(settings[PROBE], PROBED)]
    best = analysis.prediction.top(model, predictions, number, settings[K])
    return BlankCandidates(read, number, hidden, best, probes, predictions)


def rows(
    blank: BlankCandidates, blocked: kit.blocklist.Blocklist, beside: Mapping[str, float | None]
) -> list[dict[str, Any]]:
    """The rows of the bars; blocked words become dots.

    `beside` has the probabilities of some words in another sentence.
    """
    before, after = blanks.around(blank.read, blank.number)
    covered = {c.id for c in blank.candidates if kit.blocklist.covers(blocked, before, c.token, after)}
    bar_rows = _rows(blank.candidates, blank.probes, blank.hidden, covered)
    for row in bar_rows:
        row["repeats"] = repeats(blank.read, row["token"])
        if beside.get(row["token"]) is not None:
            row["beside"] = beside[row["token"]]
    return bar_rows


def as_table(candidate_lists: Sequence[BlankCandidates], blocked: kit.blocklist.Blocklist) -> str:
    """The candidates for some blanks, and the words looked up, as a table to save."""
    lines = []
    for blank in candidate_lists:
        before, after = blanks.around(blank.read, blank.number)
        for c in blank.candidates:
            hidden = kit.blocklist.covers(blocked, before, c.token, after)
            lines.append(
                [
                    blank.read,
                    blank.number + 1,
                    c.rank,
                    kit.blocklist.DOTS if hidden else c.token,
                    c.probability,
                ]
            )
        lines += [[blank.read, blank.number + 1, p.rank, p.word, p.probability] for p in blank.probes]
    return kit.table(["sentence", "blank", "rank", "word", "probability"], lines)


def expected(model: "Model", text: str) -> "Blanks":
    """The probabilities in every blank of a text. Raises TextError, AbilityError."""
    return reading_turn.timed(model, text)[0]


@kit.kept(256)
def look_up(model: "Model", text: str, word: str, number: int) -> "Probe":
    """Probability and rank of a word in a blank, cached for all visitors."""
    return analysis.prediction.probe(model, expected(model, text), word, number)


def _rows(
    candidates: "Sequence[Candidate]", probes: "Sequence[Probe]", hidden: str, covered: Set[int]
) -> list[dict[str, Any]]:
    """A row for each candidate; below them, always in view, the words looked up."""
    special = {hidden.lower(), *(probe.word.lower() for probe in probes)}
    rows: list[dict[str, Any]] = [
        {
            "token": c.token,
            "probability": c.probability,
            "state": "highlight" if c.token.lower() in special else "",
            "tip": _("joins the word before it") if c.token.startswith("##") and len(c.token) > 2 else "",
            "covered": c.id in covered,
        }
        for c in candidates
    ]
    for probe in probes:
        row = {"token": probe.word, "probability": probe.probability, "rank": probe.rank}
        rows.append(
            row
            | {"state": "highlight", "tip": translate(probe.note), "instead": _("unknown"), "pinned": True}
        )
    return rows
