"""What each part of BERT's training contributes: stored figures of runs with one part left out.

Devlin et al. 2019, section 5.1 and appendix C.2, on our scale: our smallest BERT, 10 million tokens each. The
code of these runs is in the history (`git log -- training/ablations`).
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
    """The accuracies of one run, 0 to 1.

    `pretraining` has those of the tasks that it was trained for, on held-out text: "masked_top1",
    "next_sentence", "next_word_top1". `heads` has the scores of a head on the frozen network for each
    task, one for each random draw of training examples.

    >>> row = Row({"masked_top1": 0.5}, {"sst2": [0.5, 0.75, 1.0]})
    >>> spread(row.heads["sst2"])
    (0.75, 0.25)
    """

    pretraining: Mapping[str, float]
    heads: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Ablations:
    """Runs of `tokens` tokens each, by what was left out.

    Heads are trained on `learnt` examples and tested on `test` others. The row of `RANDOM` is an untrained
    network.

    >>> whole, untrained = Row({}, {"sst2": [0.75, 0.75]}), Row({}, {"sst2": [0.5, 0.5]})
    >>> ablations = Ablations(tokens=1000, learnt=50, test=100, rows={WHOLE: whole, RANDOM: untrained})
    >>> {name: spread(row.heads["sst2"])[0] for name, row in ablations.rows.items()}
    {'as it is': 0.75, 'random weights': 0.5}
    """

    tokens: int
    learnt: int
    test: int
    rows: Mapping[str, Row]


def spread(scores: Sequence[float]) -> tuple[float, float]:
    """The mean of several scores, and their standard deviation.

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
        data = assets.data(FILE)
        rows = {name: Row(data["rows"][name]["asked"], data["rows"][name]["heads"]) for name in EVERY}
        return Ablations(data["tokens"], data["learnt"], data["test"], rows)
    except (KeyError, TypeError, AttributeError) as error:
        raise assets.damaged(FILE) from error
