"""Which of two sets of words a blank leans to, for one word after another in a slot of the sentence.

    The [SLOT] said that [MASK] was late.     slot: doctor, nurse ...     sets: he | she

    lean = log2( sum of P(word) over one set / sum of P(word) over the other ),  in bits

A template with a filled slot, after Kurita, Vyas, Pareek, Black, Tsvetkov, "Measuring Bias in
Contextualized Word Representations" (2019), who hold every score against the same sentence with the
slot masked too: that is `Leanings.bare` here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log2

from explorer.analysis.prediction.fill import Probe, blanks, probe
from explorer.analysis.prediction.masking import MASK
from explorer.errors import TextError
from explorer.models.base import LanguageModel

SLOT = "[SLOT]"


@dataclass(frozen=True, eq=False)
class Lean:
    """One sentence: the words of both sets, looked up in its blank."""

    filler: str
    text: str
    one: list[Probe]
    other: list[Probe]

    @property
    def sums(self) -> tuple[float, float]:
        """The probability of either set; a word that cannot be spelled adds nothing."""
        one, other = (sum(p.probability or 0.0 for p in side) for side in (self.one, self.other))
        return one, other

    @property
    def bits(self) -> float:
        """Above 0 the first set is likelier: by 1 bit twice as likely, by 2 four times."""
        one, other = self.sums
        if one == other:
            return 0.0
        return log2(one / other) if one and other else inf if one else -inf


@dataclass(frozen=True, eq=False)
class Leanings:
    """A lean for each word of the slot, in the order given, and the one with the slot masked.

    Without a slot in the template there is one sentence, and nothing to hold it against.
    """

    leans: list[Lean]
    bare: Lean | None


def leanings(
    model: LanguageModel, template: str, fillers: Sequence[str], one: Sequence[str], other: Sequence[str]
) -> Leanings:
    """Look both sets up in the template's first [MASK], for every filler of its [SLOT].

    A word of several pieces is scored as `prediction.probe` says. Raises TextError for a template
    without [MASK], for an empty set, and for a slot without words; AbilityError for a model that
    does not fill blanks.
    """
    if MASK not in template:
        raise TextError(f"There is no {MASK} in the sentence.", f"Write {MASK} where the sets compete.")
    if not one or not other:
        raise TextError("One of the two sets is empty.", "Type a word into each, or several with commas.")
    if SLOT not in template:
        return Leanings([_lean(model, "", template, one, other, 0)], None)
    if not fillers:
        raise TextError(f"There is no word for {SLOT}.", f"Type some, with commas, or take {SLOT} out.")
    earlier = template[: template.index(MASK)].count(SLOT)
    leans = [
        _lean(model, word, template.replace(SLOT, word), one, other, earlier * word.count(MASK))
        for word in fillers
    ]
    return Leanings(leans, _lean(model, "", template.replace(SLOT, MASK), one, other, earlier))


def _lean(
    model: LanguageModel, filler: str, text: str, one: Sequence[str], other: Sequence[str], which: int
) -> Lean:
    found = blanks(model, text)
    if which >= len(found.positions):
        raise TextError(f"{MASK} stands after the part that is read.", "Shorten the sentence.")
    sides = ([probe(model, found, word, which) for word in side] for side in (one, other))
    return Lean(filler, text, *sides)
