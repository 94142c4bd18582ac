"""What each part of BERT's training is for: the stored figures of runs with a part left out.

Devlin et al. 2019, section 5.1 and appendix C.2, on our scale; `python -m training.ablations`
made them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev

from explorer import assets

FILE = assets.ABLATIONS
WHOLE, WITHOUT_NEXT, ALWAYS_MASK, LEFT_TO_RIGHT = (
    "as it is",
    "without next sentence",
    "always [MASK]",
    "left to right",
)
KINDS = (WHOLE, WITHOUT_NEXT, ALWAYS_MASK, LEFT_TO_RIGHT)
RANDOM = "random weights"
EVERY = (*KINDS, RANDOM)
HEADS = ("sst2", "intents", "slots", "names")


@dataclass(frozen=True)
class Row:
    """What a run is worth, as shares of 1.

    `asked` is how often its own questions are answered right on held-out text: "masked_top1",
    "next_sentence", "next_word_top1", whichever it was trained for. `heads` are the scores of a frozen
    head on each task, for each draw of the examples that it learns from.

    >>> row = Row({"masked_top1": 0.5}, {"sst2": [0.5, 0.75, 1.0]})
    >>> spread(row.heads["sst2"])
    (0.75, 0.25)
    """

    asked: Mapping[str, float]
    heads: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Ablations:
    """Runs of equal `tokens`, by what was left out; heads learnt from `learnt` examples, asked `test` others.

    The row of `RANDOM` is a network that has learnt nothing.

    >>> whole, untrained = Row({}, {"sst2": [0.75, 0.75]}), Row({}, {"sst2": [0.5, 0.5]})
    >>> found = Ablations(tokens=1000, learnt=50, test=100, rows={WHOLE: whole, RANDOM: untrained})
    >>> {name: spread(row.heads["sst2"])[0] for name, row in found.rows.items()}
    {'as it is': 0.75, 'random weights': 0.5}
    """

    tokens: int
    learnt: int
    test: int
    rows: Mapping[str, Row]


def spread(scores: Sequence[float]) -> tuple[float, float]:
    """The mean of several draws, and their standard deviation.

    >>> spread([0.25, 0.5, 0.75])
    (0.5, 0.25)
    """
    return mean(scores), stdev(scores) if len(scores) > 1 else 0.0


def stored() -> Ablations:
    """The figures that ship. Raises ExplorerError where the file is missing or damaged.

    >>> list(stored().rows)
    ['as it is', 'without next sentence', 'always [MASK]', 'left to right', 'random weights']
    """
    try:
        found = assets.data(FILE)
        rows = {name: Row(found["rows"][name]["asked"], found["rows"][name]["heads"]) for name in EVERY}
        return Ablations(found["tokens"], found["learnt"], found["test"], rows)
    except (KeyError, TypeError, AttributeError) as error:
        raise assets.damaged(FILE) from error
