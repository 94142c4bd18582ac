"""Attention rollout as an attribution: how much the position that predicts has read of each token."""

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.attention.rollout import rollout, steps
from explorer.analysis.attribution.prediction import Prediction
from explorer.trace import Capture


def rollout_shares(prediction: Prediction) -> Float[Tensor, "judged"]:
    """The share of each judged token in the last layer's state that predicts; the mean over several places.

    Shares have no sign, and with those of special tokens they sum to 1.

    >>> from explorer.analysis.attribution.prediction import word_prediction
    >>> shares = rollout_shares(word_prediction(explorer.load("bert"), "The two dogs [MASK] asleep."))
    >>> bool((shares > 0).all()), bool(shares.sum() < 1)
    (True, True)
    """
    trace = prediction.model.trace_encodings([prediction.encoding], Capture.ATTENTION)[0]
    read = rollout(steps(trace))[-1][torch.tensor(prediction.places)].mean(0)
    return read[prediction.judged]
