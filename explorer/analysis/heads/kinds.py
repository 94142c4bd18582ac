"""Names for heads, by thresholds that are defined here and nowhere else.

Positional above 0.5 and special above 0.6 are the thresholds of Clark et al. 2019 (BlackboxNLP), and so is
broad above 3.8 nats. Their texts had 128 tokens, so 3.8 was 78 % of the maximum, ln 128; our sentences have
about 12 tokens, and the threshold is that share of each row's own maximum. The others are ours: repetition,
0.4 of the attention on repeated random tokens; grammar, an accuracy of at least one half that is 10 points
above the best fixed offset.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from explorer.analysis.heads.dependents import ALL, Direction
from explorer.analysis.heads.induction import Induction
from explorer.locale import N_

POSITIONAL, SPECIAL, BROAD = 0.5, 0.6, 3.8 / math.log(128)
REPETITION = 0.4
GRAMMAR, HALF, QUESTIONS = 0.1, 0.5, 20


@dataclass(frozen=True)
class Kind:
    """One name for a head, and the score that earned it.

    `name` is a behaviour, a relation, induction or duplicate. A relation has a `direction`, and `over` is
    how far its accuracy is above the best fixed offset's. For broad, the score is the entropy as a share of
    the maximum.
    """

    name: str
    score: float
    direction: str = ""
    over: float = 0.0


def kinds(
    behaviours: Mapping[str, Float[Tensor, "layer head"]],
    relations: Mapping[str, Mapping[str, Direction]] | None = None,
    repeated: Induction | None = None,
) -> dict[tuple[int, int], list[Kind]]:
    """The names that each head has earned, the most telling first; often none, sometimes several.

    Repetition comes first, then relations (by their margin over the baseline), position, special, broad.

    >>> from explorer.analysis.heads import BEHAVIOURS
    >>> scores = dict.fromkeys(BEHAVIOURS, torch.zeros(1, 2))  # of a layer with two heads
    >>> earned = kinds(scores | {"previous": torch.tensor([[0.9, 0.1]])})
    >>> {place: [kind.name for kind in names] for place, names in earned.items()}
    {(0, 0): ['previous'], (0, 1): []}
    """
    layers, heads = behaviours["same"].shape
    places = [(layer, head) for layer in range(layers) for head in range(heads)]
    return {
        place: [*_repetition(place, repeated), *_grammar(place, relations or {}), *_place(place, behaviours)]
        for place in places
    }


def _repetition(place: tuple[int, int], repeated: Induction | None) -> list[Kind]:
    if repeated is None:
        return []
    scores = {N_("induction"): repeated.scores, N_("duplicate"): repeated.duplicate}
    return [Kind(name, float(grid[place])) for name, grid in scores.items() if grid[place] > REPETITION]


def _grammar(place: tuple[int, int], relations: Mapping[str, Mapping[str, Direction]]) -> list[Kind]:
    names = []
    for relation, directions in relations.items():
        for direction, scores in directions.items():
            accuracy = float(scores.accuracy[place])
            over = accuracy - scores.baseline.accuracy
            reliable = relation != ALL and scores.questions >= QUESTIONS
            if reliable and accuracy >= HALF and over >= GRAMMAR:
                names.append(Kind(relation, accuracy, direction, over))
    return sorted(names, key=lambda kind: -kind.over)


def _place(place: tuple[int, int], behaviours: Mapping[str, Float[Tensor, "layer head"]]) -> list[Kind]:
    limits = [
        (N_("previous"), "previous", POSITIONAL),
        (N_("next"), "next", POSITIONAL),
        (N_("same"), "same", POSITIONAL),
        (N_("special"), "special", SPECIAL),
        (N_("broad"), "even", BROAD),
    ]
    scores = [(name, float(behaviours[key][place]), limit) for name, key, limit in limits]
    return [Kind(name, score) for name, score, limit in scores if score > limit]
