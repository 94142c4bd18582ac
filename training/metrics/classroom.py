"""Everyday sentences as a class types them: would a good speaker accept the first guess?

Both lists were written before any model was asked (commit `FROZEN`; see `sets/README.md`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.analysis.prediction.masking import MASK
from explorer.analysis.prediction.shannon import Spot, next_words
from explorer.models.language_model import LanguageModel
from training.metrics.cloze import Line, judge

SETS = Path(__file__).parents[1] / "sets"
BLANKS, BEGINNINGS = SETS / "classroom.tsv", SETS / "beginnings.tsv"
BLANKS_ZH = SETS / "classroom-zh.tsv"  # one character each, in both scripts
FROZEN = "d1f82c5"
AMONG = 5

# Words that occur twice in many good sentences: repeating one of them is not copying.
_FUNCTION_WORDS = """
    a an the this these those some any no every each all both half one two and or but nor so if when
    while because since as than then that which who whom whose what where why how i you he she it we they me
    him her us them my your his its our their mine yours hers ours theirs myself yourself himself herself
    itself ourselves themselves to of in on at by for with from about into over under after before between
    through during until off out up down away back again not never ever there here too very more most much
    many few am is are was were be been being do does did done have has had having will would shall should
    can could may might must let
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True)
class Classroom:
    """Numbers of lines with an accepted word first, with one among the first five, and with a repeat first.

    A repeat is a content word of the sentence as the first guess; None for next words. In `out_of_reach`
    lines no accepted word is a single token: they count as wrong.
    """

    first: int
    among: int
    repeats: int | None
    lines: int
    out_of_reach: int = 0


def read_halves(text: str) -> dict[str, list[Line]]:
    """Lines `sentence<tab>word,word` in two halves: odd lines are dev, even ones test.

    >>> read_halves("Snow is [MASK].\\twhite,cold")["dev"][0].text
    'Snow is [MASK].'
    """
    lines = []
    for line in filter(str.strip, text.splitlines()):
        sentence, _, words = line.partition("\t")
        lines.append(Line(sentence, frozenset(words.lower().split(","))))
    return {"dev": lines[::2], "test": lines[1::2]}


def classroom(model: LanguageModel, lines: Sequence[Line]) -> Classroom:
    """Counts of a model's guesses for the blank of each line. Raises as `cloze.judge`."""
    results = judge(model, lines)
    ranks = [rank for rank, _ in results if rank is not None]
    return Classroom(
        first=sum(rank == 1 for rank in ranks),
        among=sum(rank <= AMONG for rank in ranks),
        repeats=sum(
            guess in content_words(line.text) for line, (_, guess) in zip(lines, results, strict=True)
        ),
        lines=len(lines),
        out_of_reach=len(lines) - len(ranks),
    )


def beginnings(model: LanguageModel, lines: Sequence[Line]) -> Classroom:
    """Counts of the whole words that a model predicts after each beginning; they may have several tokens.

    Raises AbilityError for a model that does not read from left to right.
    """
    places = []
    for line in lines:
        spot = Spot(len(line.text) + 1, len(line.text) + 1, "", " ")
        guesses = [c.token.casefold() for c in next_words(model, f"{line.text} ", spot, AMONG)]
        places.append(next((n for n, word in enumerate(guesses, 1) if word in line.accepted), AMONG + 1))
    return Classroom(sum(p == 1 for p in places), sum(p <= AMONG for p in places), None, len(lines))


def content_words(sentence: str) -> frozenset[str]:
    """Words of a sentence in lower case, without its blank and its function words.

    >>> sorted(content_words("The [MASK] barked at the postman."))
    ['barked', 'postman']
    """
    return frozenset(re.findall(r"[^\W\d_]+", sentence.replace(MASK, " ").lower())) - FUNCTION_WORDS


def wilson(hits: int, of: int) -> tuple[float, float]:
    """95 % interval of a counted share (Wilson 1927): also valid for few lines, and near 0 and 1.

    >>> [round(float(end), 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    from scipy.stats import binomtest  # takes a second

    interval = binomtest(hits, of).proportion_ci(method="wilson")
    return interval.low, interval.high
