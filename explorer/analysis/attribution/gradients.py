"""Gradient x input and integrated gradients, with respect to the vectors of the tokens.

    gradient x input        x_i . dF/dx_i
    integrated gradients    (x_i - b_i) . mean over a of dF/dx_i at b + a (x - b)

F is the prediction in nats, and x_i the vector of token i in the embedding table, with the network's scale;
positions stay as they are. The baseline b is the vector of [MASK], or, for a model without [MASK], the mean
of the whole table.
Simonyan, Vedaldi, Zisserman, "Deep Inside Convolutional Networks" (2013); Sundararajan, Taly, Yan, "Axiomatic
Attribution for Deep Networks" (ICML 2017), equation 3.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.attribution.prediction import Prediction, batch_scores
from explorer.errors import at_least_one
from explorer.models.interventions import Intervention, Interventions
from explorer.models.padding import BATCH_TOKENS
from explorer.system.threads import map_in_threads

SITES = ("embedding_sum", "embedding")  # of `edit`: the first of them that a network has


@dataclass(frozen=True, eq=False)
class IntegratedGradients:
    """The part of each judged token, in nats.

    With enough steps they sum to `difference`: the prediction minus that at the baseline (completeness).
    """

    values: Float[Tensor, "judged"]
    difference: float

    @property
    def error(self) -> float:
        """What is missing for completeness: the sum of the values minus the difference, in nats."""
        return float(self.values.sum()) - self.difference


def gradient_times_input(prediction: Prediction) -> Float[Tensor, "judged"]:
    """The product of each judged token's vector with the gradient there, in nats."""
    vectors = _vectors(prediction)
    _, gradients = _gradients(prediction, torch.zeros(1, *vectors.shape))
    return (gradients[0] * vectors).sum(-1)[prediction.judged]


def integrated_gradients(prediction: Prediction, steps: int = 10) -> IntegratedGradients:
    """Each judged token's part by integrated gradients, at the midpoints of `steps` parts of the path.

    Raises ExplorerError for fewer steps than one.

    >>> from explorer.analysis.attribution.prediction import word_prediction
    >>> prediction = word_prediction(explorer.load("bert"), "The two dogs [MASK] asleep.", "were", "was")
    >>> abs(integrated_gradients(prediction, steps=32).error) < 0.1
    True
    """
    at_least_one(steps=steps)
    vectors, judged = _vectors(prediction), prediction.judged
    path = torch.zeros_like(vectors)  # from the baseline to the text
    path[judged] = vectors[judged] - _baseline(prediction)
    middles = (torch.arange(steps) + 0.5) / steps
    places = torch.cat([middles, torch.tensor([1.0, 0.0])])[:, None, None]  # the ends only for their values
    parts = places.split(max(1, min(len(places), BATCH_TOKENS // len(vectors)) // 2))
    passes = map_in_threads(lambda some: _gradients(prediction, (some - 1) * path), parts)
    values, gradients = map(torch.cat, zip(*passes, strict=True))
    text, baseline = values[steps:].tolist()
    return IntegratedGradients((gradients[:steps].mean(0) * path).sum(-1)[judged], text - baseline)


def _vectors(prediction: Prediction) -> Float[Tensor, "pos d_embedding"]:
    return prediction.model.token_vectors(prediction.encoding.ids)


def _baseline(prediction: Prediction) -> Float[Tensor, "d_embedding"]:
    ids = torch.tensor([] if prediction.mask is None else [prediction.mask], dtype=torch.long)
    return prediction.model.token_vectors(ids)[0]


def _gradients(
    prediction: Prediction, added: Float[Tensor, "step pos d_embedding"]
) -> tuple[Float[Tensor, "step"], Float[Tensor, "step pos d_embedding"]]:
    """The prediction with something added to the tokens' vectors, and its gradient there."""
    steps = len(added)
    added = added.to(prediction.model.device).requires_grad_()
    seen = Interventions(keep=SITES)
    with torch.no_grad():
        batch_scores(prediction, [prediction.encoding], [prediction.places], seen)
    site = next(site for site in SITES if (site, 0) in seen.kept)
    edit = Interventions([Intervention(site, 0, "add", added)])
    with torch.enable_grad():
        encodings, places = [prediction.encoding] * steps, [prediction.places] * steps
        values = prediction.nats(batch_scores(prediction, encodings, places, edit))
        (gradients,) = torch.autograd.grad(values.sum(), added)
    return values.detach().cpu(), gradients.cpu()
