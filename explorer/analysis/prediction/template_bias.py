"""Which of two sets of words a model prefers in a blank, for each word in a slot of the sentence.

    The [SLOT] said that [MASK] was late.     slot: doctor, nurse ...     sets: he | she

    bias = log2( sum of P(word) over one set / sum of P(word) over the other ),  in bits

After Kurita, Vyas, Pareek, Black, Tsvetkov, "Measuring Bias in Contextualized Word Representations" (2019),
who compare the difference of every score and the prior: the same sentence with the slot masked too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, log2

from explorer.analysis.prediction.fill import Probe, blanks, probe
from explorer.analysis.prediction.masking import MASK
from explorer.analysis.prediction.reading_on import compare_words
from explorer.errors import TextError
from explorer.locale import _
from explorer.models.base import Model
from explorer.trace import Ability

SLOT = "[SLOT]"


@dataclass(frozen=True, eq=False)
class Bias:
    """One sentence: the probabilities of both sets of words in its blank, and their ratio."""

    filler: str
    text: str
    one: list[Probe]
    other: list[Probe]

    @property
    def sums(self) -> tuple[float, float]:
        """The summed probability of each set; a word that cannot be spelled adds nothing."""
        one, other = (sum(p.probability or 0.0 for p in side) for side in (self.one, self.other))
        return one, other

    @property
    def bits(self) -> float:
        """log2 of the ratio: at 1 bit the first set is twice as probable, at -1 bit the second."""
        one, other = self.sums
        if one == other:
            return 0.0
        return log2(one / other) if one and other else inf if one else -inf


@dataclass(frozen=True, eq=False)
class TemplateBias:
    """The bias for each word of the slot, in the given order, and the prior, with the slot masked.

    A template without a slot is a single sentence and has no prior.
    """

    biases: list[Bias]
    prior: Bias | None

    def beyond_prior(self, bias: Bias) -> float | None:
        """The paper's measure: a bias minus the prior, in bits; None without a prior or if infinite."""
        difference = bias.bits - self.prior.bits if self.prior else inf
        return difference if isfinite(difference) else None


def compare_sets(
    model: Model, template: str, fillers: Sequence[str], one: Sequence[str], other: Sequence[str]
) -> TemplateBias:
    """The bias in the template's first [MASK], for every filler of its [SLOT].

    A word of several pieces is scored as `prediction.probe` says. A model that reads from left to right reads
    each word and then the rest of the sentence; it gives probabilities among the words of both sets, and in
    the prior it fills the slot itself. Raises TextError for a template
    without [MASK], for an empty set, and for a slot without words; AbilityError for a model that
    does not fill blanks.
    """
    if MASK not in template:
        raise TextError(_("There is no [MASK] in the sentence."), _("Write [MASK] where the sets compete."))
    if not one or not other:
        raise TextError(
            _("One of the two sets is empty."), _("Type a word into each, or several with commas.")
        )
    if SLOT not in template:
        return TemplateBias([_bias(model, "", template, one, other, 0)], None)
    if not fillers:
        raise TextError(_("There is no word for [SLOT]."), _("Type some, with commas, or take [SLOT] out."))
    earlier = template[: template.index(MASK)].count(SLOT)
    biases = [
        _bias(model, word, template.replace(SLOT, word), one, other, earlier * word.count(MASK))
        for word in fillers
    ]
    return TemplateBias(biases, _bias(model, "", template.replace(SLOT, MASK), one, other, earlier))


def _bias(model: Model, filler: str, text: str, one: Sequence[str], other: Sequence[str], which: int) -> Bias:
    model.require(Ability.FILL | Ability.GENERATE, "guess masked words")
    if Ability.FILL in model.abilities:
        expected = blanks(model, text)
        if which >= len(expected.positions):
            raise TextError(_("[MASK] comes after the part that is read."), _("Shorten the sentence."))
        sides = [[probe(model, expected, word, which) for word in side] for side in (one, other)]
    else:
        shares = zip([*one, *other], compare_words(model, text, which, [*one, *other]), strict=True)
        read = [
            Probe(word, share, None, [model.tokenizer.readable(i) for i in ids], [])
            for word, (ids, share) in shares
        ]
        sides = [read[: len(one)], read[len(one) :]]
    return Bias(filler, text, *sides)
