"""BERT made to write, one word at a time, though it was only taught to fill gaps.

    Gibbs sampling         any position, at random, is masked and drawn anew, over and over
    left to right          the blanks from the first to the last, those to come still masked
    most confident first   whichever blank the model is surest of comes next

Wang and Cho, "BERT has a Mouth, and It Must Speak: BERT as a Markov Random Field Language Model"
(NeuralGen 2019): their settings are PUBLISHED. Their title was withdrawn by Cho in a note of the same
year: BERT's P(word | all others) are conditionals, but no joint distribution need exist that has
them, so that nothing is known of where such a chain settles.

The other two orders are free choices of what to insert next, the question of the Insertion
Transformer (Stern, Chan, Kiros, Uszkoreit 2019) and InDIGO (Gu, Liu, Cho 2019), which are trained for
it and need not know the length beforehand; choosing by confidence is mask-predict's rule (Ghazvininejad,
Levy, Liu, Zettlemoyer 2019), for one word at a time.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.analysis.generation import Sampling, chances
from explorer.analysis.prediction.fill import Candidate, ranked
from explorer.analysis.prediction.masking import MASK
from explorer.errors import ExplorerError, TextError
from explorer.models.base import LanguageModel
from explorer.trace import Ability


class Way(StrEnum):
    """In which order positions are written."""

    GIBBS = "Gibbs sampling"
    LEFT = "left to right"
    SURE = "most confident first"


@dataclass(frozen=True)
class Speech:
    """How a text is written.

    `temperature` 0 takes the best token, `top_k` None cuts nothing. Of Gibbs' `steps` the first
    `burn_in` draw from all tokens, the later ones from the top k. `noise` begins with random tokens
    in place of masks. The same seed writes the same. Raises ExplorerError for values without meaning.
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
            raise ExplorerError(f"{self} is no way to write.", "Steps are counted from 0.")


PUBLISHED = Speech()
LENGTH = 40  # tokens of a sentence in the paper


@dataclass(frozen=True, eq=False)
class Written:
    """One step: `place` (0 is the first blank) got a token.

    `probability` and `rank` are the model's own, `chance` that of being drawn. `candidates` are the
    most probable tokens there, best first.
    """

    place: int
    id: int
    token: str
    probability: float
    rank: int
    chance: float
    candidates: list[Candidate]


class Writing(Iterator[Written]):
    """The steps of one way of writing, made as they are asked for.

    `ids` is the text as it stands, frame and all; `positions` are those of the blanks in it, and
    `start` what stood there first.
    """

    def __init__(self, model: LanguageModel, text: str, way: Way, speech: Speech) -> None:
        model.require(Ability.FILL, "write into blanks")
        encoding = model.encode(text)
        self.model, self.way, self.speech = model, way, speech
        self.positions = (encoding.ids == model.tokenizer.mask).nonzero().flatten().tolist()
        if not self.positions:
            raise TextError(f"There is no {MASK} to write into.", f"Write {MASK} into the frame.")
        if encoding.cut:
            raise TextError(f"The text is {encoding.cut} tokens too long.", "Take fewer blanks.")
        self.ids = encoding.ids.clone()
        self.steps: list[Written] = []
        self._segments = encoding.segments
        self._sayable = sayable(model)
        self._generator = torch.Generator().manual_seed(speech.seed)
        if speech.noise and way is Way.GIBBS:
            words = self._sayable.nonzero().flatten()
            drawn = torch.randint(len(words), (len(self.positions),), generator=self._generator)
            self.ids[self.positions] = words[drawn]
        self.start: list[int] = self.ids[self.positions].tolist()

    @property
    def total(self) -> int:
        """How many steps there will be."""
        return self.speech.steps if self.way is Way.GIBBS else len(self.positions)

    def __next__(self) -> Written:
        if len(self.steps) >= self.total:
            raise StopIteration
        place, logits = self._next()
        settled = self.way is not Way.GIBBS or len(self.steps) >= self.speech.burn_in
        spread = spread_of(logits.masked_fill(~self._sayable, -math.inf), self.speech, cut=settled)
        id, own = draw(spread, self._generator), logits.softmax(0)
        self.ids[self.positions[place]] = id
        step = Written(
            place, id, self.model.tokenizer.readable(id), float(own[id]), int((own > own[id]).sum()) + 1,
            float(spread[id]), ranked(self.model, own, 6),
        )  # fmt: skip
        self.steps.append(step)
        return step

    def _next(self) -> tuple[int, Float[Tensor, "d_vocab"]]:
        """The place that is written next, and the logits there with the place masked."""
        if self.way is Way.GIBBS:
            place = int(torch.randint(len(self.positions), (1,), generator=self._generator))
            self.ids[self.positions[place]] = self.model.tokenizer.mask
            return place, self._logits([place])[0]
        if self.way is Way.LEFT:
            place = len(self.steps)
            return place, self._logits([place])[0]
        open_ = [place for place in range(len(self.positions)) if place not in {s.place for s in self.steps}]
        logits = self._logits(open_)
        likely = logits.masked_fill(~self._sayable, -math.inf)
        best = int((likely.amax(-1) - logits.logsumexp(-1)).argmax())
        return open_[best], logits[best]

    def _logits(self, places: list[int]) -> Float[Tensor, "place d_vocab"]:
        with torch.inference_mode():
            last = self.model.network(self.ids[None], segments=self._segments[None]).last[0]
            return self.model.unembed(last[[self.positions[place] for place in places]])


def write(model: LanguageModel, text: str, way: Way, speech: Speech = PUBLISHED) -> Writing:
    """Write into every [MASK] of a text: an iterator of steps that also knows the text so far.

    Raises TextError for a text without [MASK] or longer than the context, AbilityError for a model
    that does not fill blanks.
    """
    return Writing(model, text, way, speech)


def widened(text: str, blanks: int) -> str:
    """A frame with so many blanks in place of its only [MASK]; several stay as they are.

    >>> widened("Every morning [MASK].", 3)
    'Every morning [MASK] [MASK] [MASK].'
    """
    return text.replace(MASK, " ".join([MASK] * blanks)) if text.count(MASK) == 1 else text


def spread_of(logits: Float[Tensor, "d_vocab"], speech: Speech, cut: bool) -> Float[Tensor, "d_vocab"]:
    """The distribution that a token is drawn from; it sums to 1.

    softmax(logits / temperature) over all tokens, or (`cut`) over the top k of them
    """
    return chances(logits, Sampling(speech.temperature, speech.top_k if cut else None))


def sayable(model: LanguageModel) -> Bool[Tensor, "d_vocab"]:
    """Which tokens are ever drawn: all but [MASK] and its like, which no text holds."""
    names = (model.tokenizer.token(id) for id in range(model.config.d_vocab))
    return torch.tensor([not (name.startswith("[") and name.endswith("]") and name[1:-1]) for name in names])


def draw(spread: Float[Tensor, "d_vocab"], generator: torch.Generator) -> int:
    """One id, by the inverse of the cumulative distribution."""
    cumulative = spread.cumsum(0, dtype=torch.float64)
    at = torch.rand(1, generator=generator, dtype=torch.float64) * cumulative[-1]
    return min(int(torch.searchsorted(cumulative, at, right=True)), len(spread) - 1)
