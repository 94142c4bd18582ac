"""Every stage of sampling one token, for display (`sampling` has the stages themselves)."""

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor

from explorer.generation.sampling import Sampling, inverse_cdf_sample, scores_after_steps
from explorer.tokenizers.base import Tokenizer


@dataclass(frozen=True, eq=False)
class Pipeline:
    """All stages between the logits of a step and the sampled token, each in the order of ids.

    `scores` are those after each step that is taken, by its name and in order, -inf for a token that is cut.
    `scaled` are the logits divided by the temperature, `after_temperature` their softmax, `after_k` and
    `after_p` the tokens that are not cut by top-k and by all steps. `chances` sum to 1 and are 0 for cut
    tokens; `cumulative` is their cumulative sum, in which `draw`, a number in [0, 1), selects the token `id`.
    With greedy sampling nothing is scaled, all but the best token is cut and `draw` has no effect. Where
    every token is cut, `chances` and `cumulative` are nan.
    """

    logits: Float[Tensor, "d_vocab"]
    scores: dict[str, Float[Tensor, "d_vocab"]]
    scaled: Float[Tensor, "d_vocab"]
    after_temperature: Float[Tensor, "d_vocab"]
    after_k: Bool[Tensor, "d_vocab"]
    after_p: Bool[Tensor, "d_vocab"]
    chances: Float[Tensor, "d_vocab"]
    cumulative: Float[Tensor, "d_vocab"]
    draw: float
    id: int


def pipeline(
    logits: Float[Tensor, "d_vocab"],
    sampling: Sampling,
    draw: float,
    ids: Sequence[int] = (),
    written: int = 0,
    tokenizer: Tokenizer | None = None,
) -> Pipeline:
    """The stages of a step with any settings, computed from its logits without the model.

    `ids`, `written` and `tokenizer` are as in `sampling.chances`.

    >>> stages = pipeline(torch.tensor([0.0, 2.0, 1.0]), Sampling(top_k=2), draw=0.9)
    >>> stages.after_k.tolist(), stages.id
    ([False, True, True], 2)
    """
    scores = scores_after_steps(logits, sampling, ids, written, tokenizer)
    last = [logits, *scores.values()][-1]
    scaled, chances = scores.get("temperature", logits), last.softmax(-1)
    return Pipeline(
        logits=logits,
        scores=scores,
        scaled=scaled,
        after_temperature=scaled.softmax(-1),
        after_k=scores.get("greedy", scores.get("top_k", scaled)).isfinite(),
        after_p=last.isfinite(),
        chances=chances,
        cumulative=chances.double().cumsum(0),
        draw=draw,
        id=inverse_cdf_sample(chances[None], [draw])[0],
    )
