"""Everyday sentences, such as a class types: is the first guess one that a good speaker would make?

The two lists were written before any model had seen them (commit `FROZEN`; see `sets/README.md`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from explorer.analysis.prediction.likelihood import Row, batch_tokens, batches, states_at
from explorer.analysis.prediction.masking import MASK
from explorer.analysis.prediction.shannon import Spot, next_words
from explorer.errors import TextError
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.metrics.cloze import Line

SETS = Path(__file__).parents[1] / "sets"
BLANKS, BEGINNINGS = SETS / "classroom.tsv", SETS / "beginnings.tsv"
BLANKS_ZH = SETS / "classroom-zh.tsv"  # one character each, in both scripts
FROZEN = "d1f82c5"
AMONG = 5
NORMAL_95 = 1.959964  # the standard normal's quantile for 95 %, both sides

# Words that stand twice in many a good sentence: repeating one of them is no copying.
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
    """How many of `lines` have an accepted word first, among the first five, and a repeat first.

    A repeat is a first guess that stands in the sentence already, function words aside; None for
    next words. In `out_of_reach` lines no accepted word is a single token: they count as wrong.
    """

    first: int
    among: int
    repeats: int | None
    lines: int
    out_of_reach: int = 0


def read_halves(text: str) -> dict[str, list[Line]]:
    """Odd lines are dev, even ones test: `sentence<tab>word,word`.

    >>> read_halves("Snow is [MASK].\\twhite,cold")["dev"][0].text
    'Snow is [MASK].'
    """
    lines = []
    for line in filter(str.strip, text.splitlines()):
        sentence, _, words = line.partition("\t")
        lines.append(Line(sentence, frozenset(words.lower().split(","))))
    return {"dev": lines[::2], "test": lines[1::2]}


def classroom(model: LanguageModel, lines: Sequence[Line]) -> Classroom:
    """What a model puts in the blank of each line; case aside, ties count as wrong.

    Raises AbilityError for a model that does not fill blanks, TextError for a line without
    one blank and a word for it.
    """
    model.require(Ability.FILL, "guess masked words")
    ids_of: dict[str, list[int]] = {}
    for token, id in model.tokenizer.backend.get_vocab().items():
        ids_of.setdefault(token.lower(), []).append(id)
    rows, repeats, reached, ranks = [], 0, 0, []
    for i, line in enumerate(lines):
        if line.text.count(MASK) != 1 or not line.accepted:
            raise TextError(f"“{line.text}” needs one {MASK}, and after a tab the words for it.")
        ids = model.encode(line.text).ids.tolist()
        wanted = [id for word in line.accepted for id in ids_of.get(word, [])]
        if model.tokenizer.mask in ids:
            reached += bool(wanted)
            rows.append(Row(i, ids, [ids.index(model.tokenizer.mask)], wanted))
    for batch in batches(rows, batch_tokens(model)):
        for row, scores in zip(batch, model.unembed(states_at(model, batch)), strict=True):
            guess = model.tokenizer.readable(int(scores.argmax())).strip().lower()
            repeats += guess in content_words(lines[row.text].text)
            if row.tokens:
                ranks.append(int((scores >= scores[row.tokens].max()).sum()))
    return Classroom(
        first=sum(rank == 1 for rank in ranks),
        among=sum(rank <= AMONG for rank in ranks),
        repeats=repeats,
        lines=len(lines),
        out_of_reach=len(lines) - reached,
    )


def beginnings(model: LanguageModel, lines: Sequence[Line]) -> Classroom:
    """Which whole word a model writes after each beginning; several tokens may make one.

    Raises AbilityError for a model that does not read from left to right.
    """
    places = []
    for line in lines:
        spot = Spot(len(line.text) + 1, len(line.text) + 1, "", " ")
        guesses = [c.token.casefold() for c in next_words(model, f"{line.text} ", spot, AMONG)]
        places.append(next((n for n, word in enumerate(guesses, 1) if word in line.accepted), AMONG + 1))
    return Classroom(sum(p == 1 for p in places), sum(p <= AMONG for p in places), None, len(lines))


def content_words(sentence: str) -> frozenset[str]:
    """The words of a sentence, in lower case, without its blank and its function words.

    >>> sorted(content_words("The [MASK] barked at the postman."))
    ['barked', 'postman']
    """
    return frozenset(re.findall(r"[^\W\d_]+", sentence.replace(MASK, " ").lower())) - FUNCTION_WORDS


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share that was counted (Wilson 1927): honest for few lines, and near 0 and 1.

    >>> [round(end, 3) for end in wilson(8, 10)]
    [0.49, 0.943]
    """
    z2, share = NORMAL_95**2, hits / of
    middle = share + z2 / (2 * of)
    reach = NORMAL_95 * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return (middle - reach) / (1 + z2 / of), (middle + reach) / (1 + z2 / of)
