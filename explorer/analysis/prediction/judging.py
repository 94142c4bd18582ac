"""Judgements: was a token replaced (ELECTRA), and which sentence came first (ALBERT)?

P(replaced | text)             sigmoid of one score for each token
P(in order | two sentences)    softmax of two scores for the pair
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from explorer.models import LanguageModel
from explorer.trace import Ability, Encoding


@dataclass(frozen=True, eq=False)
class ReplacementScores:
    """For each token of a text, the probability that it was replaced."""

    encoding: Encoding
    probabilities: Float[Tensor, "pos"]


def replaced(model: LanguageModel, text: str, limit: int | None = None) -> ReplacementScores:
    """Which tokens of a text look replaced to a discriminator (Clark et al. 2020, section 2).

    It was trained on replacements from a small generator only. Above 0.5 the paper counts a token as
    replaced. Raises AbilityError for a model without that head.
    """
    model.require(Ability.DETECT, "judge which tokens were replaced")
    encoding = model.encode(text, limit=limit)
    last = model.run(encoding.ids[None], segments=encoding.segments[None]).last[0]
    return ReplacementScores(encoding, model.detect(last).sigmoid().cpu())


def suspects(model: LanguageModel, text: str, n: int) -> list[tuple[str, float]]:
    """The `n` words or pieces that look most like replacements, with their probabilities."""
    scores = replaced(model, text)
    order = scores.probabilities.argsort(descending=True).tolist()
    ordinary = [i for i in order if not scores.encoding.special[i]]
    return [(scores.encoding.tokens[i], float(scores.probabilities[i])) for i in ordinary[:n]]


def sentence_order(model: LanguageModel, first: str, second: str) -> float:
    """The probability that two sentences are in their original order (Lan et al. 2020, section 3.1).

    Both are assumed to belong together: BERT's question, whether the second follows at all, is another one.
    Raises AbilityError for a model without that head.
    """
    model.require(Ability.SENTENCE_ORDER, "judge the order of two sentences")
    encoding = model.encode(first, second)
    last = model.run(encoding.ids[None], segments=encoding.segments[None]).last
    return float(model.sentence_order(last).softmax(-1)[0, 0])
