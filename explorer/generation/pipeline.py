"""Every stage of sampling one token, for display (`sampling` has the stages themselves)."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.generation.sampling import Sampling, chances, inverse_cdf_sample, softmax


@dataclass(frozen=True, eq=False)
class Pipeline:
    """All stages between the logits of a step and the sampled token, each in the order of ids.

    `scaled` are the logits divided by the temperature, `after_temperature` their softmax, `after_k` and
    `after_p` the tokens that are not cut so far. `chances` sum to 1 and are 0 for cut tokens; `cumulative` is
    their cumulative sum, in which `draw`, a number in [0, 1), selects the token `id`. With greedy sampling
    nothing is scaled, all but the best token is cut and `draw` has no effect.
    """

    logits: Float[Tensor, "d_vocab"]
    scaled: Float[Tensor, "d_vocab"]
    after_temperature: Float[Tensor, "d_vocab"]
    after_k: Bool[Tensor, "d_vocab"]
    after_p: Bool[Tensor, "d_vocab"]
    chances: Float[Tensor, "d_vocab"]
    cumulative: Float[Tensor, "d_vocab"]
    draw: float
    id: int


def pipeline(logits: Float[Tensor, "d_vocab"], sampling: Sampling, draw: float) -> Pipeline:
    """The stages of a step with any settings, computed from its logits without the model.

    >>> stages = pipeline(torch.tensor([0.0, 2.0, 1.0]), Sampling(top_k=2), draw=0.9)
    >>> stages.after_k.tolist(), stages.id
    ([False, True, True], 2)
    """
    best = sampling.takes_the_best
    after_temperature = softmax(logits[None], [sampling])[0]
    after_k = torch.ones_like(logits, dtype=torch.bool)
    if best or sampling.top_k is not None:
        k = 1 if best else min(sampling.top_k or len(logits), len(logits))
        ids = logits.argmax()[None] if best else after_temperature.topk(k).indices
        after_k = torch.zeros_like(after_k).index_fill_(0, ids, True)
    spread = chances(logits, sampling)
    return Pipeline(
        logits=logits,
        scaled=logits if best else logits / sampling.temperature,
        after_temperature=after_temperature,
        after_k=after_k,
        after_p=after_k & (spread > 0) if best or sampling.cuts else after_k,
        chances=spread,
        cumulative=spread.double().cumsum(0),
        draw=draw,
        id=inverse_cdf_sample(spread[None], [draw])[0],
    )
