"""Text written by a masked language model, one token at a time, in one of three orders.

    Gibbs sampling         a random position is masked and sampled again, many times
    left to right          the blanks from first to last, the later ones still masked
    most confident first   always the blank whose best token is most probable

Wang and Cho, "BERT has a Mouth, and It Must Speak: BERT as a Markov Random Field Language Model"
(NeuralGen 2019); PUBLISHED has their settings. Cho withdrew the claim of the title in a note of the same
year: BERT gives P(word | all others), but a joint distribution with these conditionals need not exist, so it
is not known whether such a chain converges, and to what.

The other two fill each blank once. The Insertion Transformer (Stern, Chan, Kiros, Uszkoreit 2019) and InDIGO
(Gu, Liu, Cho 2019) are trained to choose the order of insertion, and need not know the length in advance.
Choosing by confidence is the rule of mask-predict (Ghazvininejad, Levy, Liu, Zettlemoyer 2019), here for one
word at a time.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.analysis.generation.steps import Sampling, chances
from explorer.analysis.prediction.fill import Candidate, ranked
from explorer.analysis.prediction.masking import MASK, mask_positions
from explorer.errors import ExplorerError, TextError
from explorer.generation.sampling import inverse_cdf_sample
from explorer.locale import _
from explorer.models.base import Model
from explorer.trace import Ability


class Order(StrEnum):
    """The order in which positions are written."""

    GIBBS = "Gibbs sampling"
    LEFT_TO_RIGHT = "left to right"
    MOST_CONFIDENT = "most confident first"


@dataclass(frozen=True)
class SamplingOptions:
    """How tokens are sampled.

    `temperature` 0 takes the most probable token, `top_k` None allows all. Of the `steps` of Gibbs sampling
    the first `burn_in` sample from all tokens, the later ones from the top k; with `noise` it starts from
    random tokens instead of masks. The same seed gives the same text. Raises ExplorerError for a negative
    number of steps, and as `Sampling` does.
    """

    temperature: float = 1.0
    top_k: int | None = 100
    burn_in: int = 250
    steps: int = 500
    noise: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        Sampling(self.temperature, self.top_k, seed=self.seed)
        if self.steps < 0 or self.burn_in < 0:
            raise ExplorerError(f"{self} are not options to sample with.", "Give 0 steps or more.")


PUBLISHED = SamplingOptions()
LENGTH = 40  # tokens of a sentence in the paper


@dataclass(frozen=True, eq=False)
class Step:
    """One step: the blank number `place` (from 0) got a token.

    `probability` and `rank` are the model's own; `chance` is the probability with which it was sampled.
    `candidates` are the most probable tokens there, best first.
    """

    place: int
    id: int
    token: str
    probability: float
    rank: int
    chance: float
    candidates: list[Candidate]


class Writing(Iterator[Step]):
    """The steps of one order, each computed when the iterator reaches it.

    `ids` is the whole text as it is now, `positions` are those of its blanks, and `start` are the ids that
    were there at first.
    """

    def __init__(self, model: Model, text: str, order: Order, options: SamplingOptions) -> None:
        model.require(Ability.FILL, "write into blanks")
        encoding = model.encode(text)
        self.model, self.order, self.options = model, order, options
        self.positions = mask_positions(model, encoding)
        if not self.positions:
            raise TextError(_("There is no [MASK] to write into."), _("Write [MASK] into the frame."))
        if encoding.truncated:
            text = _("The text is {count} tokens too long.", count=encoding.truncated)
            raise TextError(text, _("Take fewer blanks."))
        self.ids = encoding.ids.clone()
        self.steps: list[Step] = []
        self._segments = encoding.segments
        self._ordinary = ordinary_tokens(model)
        self._generator = torch.Generator().manual_seed(options.seed)
        if options.noise and order is Order.GIBBS:
            words = self._ordinary.nonzero().flatten()
            choices = torch.randint(len(words), (len(self.positions),), generator=self._generator)
            self.ids[self.positions] = words[choices]
        self.start: list[int] = self.ids[self.positions].tolist()

    @property
    def total(self) -> int:
        """The total number of steps."""
        return self.options.steps if self.order is Order.GIBBS else len(self.positions)

    def __next__(self) -> Step:
        if len(self.steps) >= self.total:
            raise StopIteration
        place, logits = self._next()
        settled = self.order is not Order.GIBBS or len(self.steps) >= self.options.burn_in
        probabilities = distribution(
            logits.masked_fill(~self._ordinary, -math.inf), self.options, cut=settled
        )
        id, own = draw(probabilities, self._generator), logits.softmax(0)
        self.ids[self.positions[place]] = id
        step = Step(
            place,
            id,
            self.model.tokenizer.readable(id),
            float(own[id]),
            int((own > own[id]).sum()) + 1,
            float(probabilities[id]),
            ranked(self.model, own, 6),
        )
        self.steps.append(step)
        return step

    def _next(self) -> tuple[int, Float[Tensor, "d_vocab"]]:
        """The next place, and the logits there with that place masked."""
        if self.order is Order.GIBBS:
            place = int(torch.randint(len(self.positions), (1,), generator=self._generator))
            self.ids[self.positions[place]] = self.model.tokenizer.special_id("mask")
            return place, self._logits([place])[0]
        if self.order is Order.LEFT_TO_RIGHT:
            place = len(self.steps)
            return place, self._logits([place])[0]
        open_places = [
            place for place in range(len(self.positions)) if place not in {s.place for s in self.steps}
        ]
        logits = self._logits(open_places)
        likely = logits.masked_fill(~self._ordinary, -math.inf)
        best = int((likely.amax(-1) - logits.logsumexp(-1)).argmax())
        return open_places[best], logits[best]

    def _logits(self, places: list[int]) -> Float[Tensor, "place d_vocab"]:
        last = self.model.run(self.ids[None], segments=self._segments[None]).last[0]
        return self.model.unembed(last[[self.positions[place] for place in places]])


def write(model: Model, text: str, order: Order, options: SamplingOptions = PUBLISHED) -> Writing:
    """Write into every [MASK] of a text: an iterator of steps that also has the text so far.

    Raises TextError for a text without [MASK] or longer than the context, AbilityError for a model
    that does not fill blanks.
    """
    return Writing(model, text, order, options)


def with_blanks(text: str, blanks: int) -> str:
    """A text with `blanks` blanks in place of its only [MASK]; one with several is returned unchanged.

    >>> with_blanks("Every morning [MASK].", 3)
    'Every morning [MASK] [MASK] [MASK].'
    """
    return text.replace(MASK, " ".join([MASK] * blanks)) if text.count(MASK) == 1 else text


def distribution(
    logits: Float[Tensor, "d_vocab"], options: SamplingOptions, cut: bool
) -> Float[Tensor, "d_vocab"]:
    """The distribution from which a token is sampled; it sums to 1.

    softmax(logits / temperature) over all tokens, or (`cut`) over the top k of them
    """
    return chances(logits, Sampling(options.temperature, options.top_k if cut else None))


def ordinary_tokens(model: Model) -> Bool[Tensor, "d_vocab"]:
    """Which tokens may be sampled: all except special ones such as [MASK], which no text contains."""
    special = model.tokenizer.special_ids
    names = (model.tokenizer.token(id) for id in range(model.config.d_vocab))
    return torch.tensor(
        [
            id not in special and not (name.startswith("[") and name.endswith("]") and name[1:-1])
            for id, name in enumerate(names)
        ]
    )


def draw(probabilities: Float[Tensor, "d_vocab"], generator: torch.Generator) -> int:
    """An id, sampled by the inverse of the cumulative distribution."""
    at = float(torch.rand(1, generator=generator, dtype=torch.float64))
    return inverse_cdf_sample(probabilities[None], [at])[0]
