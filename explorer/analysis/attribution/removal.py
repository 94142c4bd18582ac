"""Deletion: the prediction without some of its tokens.

A token's part is log P(answer) with it minus log P(answer) without it: positive if it supports the answer
(Li, Monroe, Jurafsky, "Understanding Neural Networks through Representation Erasure", 2016). A masked
language model reads [MASK] in place of the token; any other reads the text without it.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.attribution.prediction import Prediction, nats
from explorer.trace import Encoding


def deletion(prediction: Prediction) -> Float[Tensor, "judged"]:
    """How much the prediction falls, in nats, without each of the tokens that are judged.

    >>> from explorer.analysis.attribution.prediction import word_prediction
    >>> prediction = word_prediction(explorer.load("bert"), "The two dogs [MASK] asleep.", "were", "was")
    >>> parts = deletion(prediction)
    >>> prediction.encoding.tokens[prediction.judged[parts.argmax()]]
    'dogs'
    """
    values = nats_without(prediction, [[], *([position] for position in prediction.judged)])
    return values[0] - values[1:]


def nats_without(prediction: Prediction, removed: Sequence[Collection[int]]) -> Float[Tensor, "variant"]:
    """The prediction without the tokens at some positions, for each collection of positions.

    What was asked before is not computed again. If all places that it is read from are left out, it is
    read from the last token that remains.
    """
    sets, values = [frozenset(positions) for positions in removed], prediction.values
    new = [positions for positions in dict.fromkeys(sets) if positions not in values]
    variants = [_without(prediction, positions) for positions in new]
    read = nats(prediction, [encoding for encoding, _ in variants], [places for _, places in variants])
    values.update(zip(new, read.tolist(), strict=True))
    return torch.tensor([values[positions] for positions in sets])


def _without(prediction: Prediction, positions: Collection[int]) -> tuple[Encoding, list[int]]:
    encoding = prediction.encoding
    if prediction.mask is not None:
        ids = encoding.ids.clone()
        ids[list(positions)] = prediction.mask
        return replace(encoding, ids=ids), list(prediction.places)
    rest = [position for position in range(len(encoding)) if position not in positions]
    places = [rest.index(place) for place in prediction.places if place in rest]
    return encoding.at(rest), places or [len(rest) - 1]
