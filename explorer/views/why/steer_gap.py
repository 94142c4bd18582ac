"""Steer a model that fills blanks: its guesses for a gap, at several strengths of a direction."""

from collections.abc import Sequence
from math import log2
from typing import Any, NamedTuple

from explorer.locale import N_, _, localised, percent
from explorer.views import kit
from explorer.views.types import Direction, LanguageModel

GUESSES = 7  # at each strength
NOTICE = N_("{model} guesses a word for [MASK]. Without one in the text it stands at the end.")
LIKELIER = N_("{times} times as probable as unsteered")


class Guess(NamedTuple):
    """A word, its probability, and by how many bits it has become likelier."""

    word: str
    probability: float
    likelier: float


def with_gap(beginning: str) -> str:
    """A text with a gap, at its end if it has none.

    >>> with_gap("The sky is "), with_gap("The [MASK] is blue.")
    ('The sky is [MASK].', 'The [MASK] is blue.')
    """
    return beginning if kit.MASK in beginning else f"{beginning.rstrip()} {kit.MASK}.".lstrip()


def guesses(
    model: "LanguageModel", text: str, direction: "Direction", strengths: Sequence[float]
) -> list[list[Guess]]:
    """The likeliest words for the first gap of a text at each strength."""
    from explorer.analysis import steering
    from explorer.analysis.prediction import fill

    plain = fill.blanks(model, text).probabilities[0]
    lists = []
    for strength in strengths:
        steered = fill.blanks(model, text, edit=steering.edit(model, [(direction, strength)]))
        best = fill.top(model, steered, k=GUESSES)
        lists.append(
            [
                Guess(
                    one.token,
                    one.probability,
                    log2(max(one.probability, 1e-12) / max(float(plain[one.id]), 1e-12)),
                )
                for one in best
            ]
        )
    return lists


def column(
    best: Sequence[Guess], most: float, likelier: Sequence[float], blocked: Any, text: str
) -> list[Any]:
    """The guesses of one strength as elements; a bar of the probability `most` is full."""
    rows: list[Any] = []
    for one in best:
        much = sum(one.likelier >= least for least in likelier)
        (word,) = kit.blocklist.written(blocked, [one.word], text)
        shown = [
            "mark",
            {"class": f"m{much}", "title": _(LIKELIER, times=f"{2**one.likelier:.0f}")},
            word,
        ]
        bar = ["u", {"style": f"width:{one.probability / most:.0%}"}]
        rows += [
            ["dt", {"dir": "auto", "translate": "no"}, shown if much else word],
            ["dd", {"title": percent(localised(f"{100 * one.probability:.1f}"))}, bar],
        ]
    return ["dl", {"class": "guesses"}, *rows]
