"""Judgements that guess no word: was a token replaced (ELECTRA), and which sentence came first (ALBERT)?

P(replaced | the text as it stands)    sigmoid of one score a token
P(in order | two sentences)            softmax of two scores of the pair
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from explorer.models import LanguageModel
from explorer.trace import Ability, Encoding


@dataclass(frozen=True, eq=False)
class Judged:
    """How probable it is, for each token, that somebody replaced it."""

    encoding: Encoding
    probabilities: Float[Tensor, "pos"]


def replaced(model: LanguageModel, text: str, limit: int | None = None) -> Judged:
    """Which tokens of a text look replaced to a discriminator (Clark et al. 2020, section 2).

    It was trained on replacements that a small generator drew, and on no others. Above 0.5 the paper
    counts a token as replaced. Raises AbilityError for a model without that head.
    """
    model.require(Ability.DETECT, "judge which tokens were replaced")
    encoding = model.encode(text, limit=limit)
    last = model.run(encoding.ids[None], segments=encoding.segments[None]).last[0]
    return Judged(encoding, model.detect(last).sigmoid().cpu())


def suspects(model: LanguageModel, text: str, n: int) -> list[tuple[str, float]]:
    """The `n` words or pieces of words that look most like replacements, with how probable it is."""
    judged = replaced(model, text)
    order = judged.probabilities.argsort(descending=True).tolist()
    shown = [i for i in order if not judged.encoding.special[i]]
    return [(judged.encoding.tokens[i], float(judged.probabilities[i])) for i in shown[:n]]


def sentence_order(model: LanguageModel, first: str, second: str) -> float:
    """The probability that two sentences stand in the order of their text (Lan et al. 2020, section 3.1).

    Both are taken to belong together: it is not BERT's question whether the second follows at all.
    Raises AbilityError for a model without that head.
    """
    model.require(Ability.SENTENCE_ORDER, "judge the order of two sentences")
    encoding = model.encode(first, second)
    last = model.run(encoding.ids[None], segments=encoding.segments[None]).last
    return float(model.sentence_order(last).softmax(-1)[0, 0])
