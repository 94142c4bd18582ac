"""The input of BERT's training: some tokens are masked, replaced or kept, and must be predicted.

Devlin et al. 2019, section 3.1: 15 % of the tokens are chosen; of these 80 % become [MASK], 10 % a random
token, and 10 % stay as they are. The network must predict the original token at every chosen position, and
only these positions count in the loss:

    loss = - log P(original token | corrupted text),  in nats
"""

from dataclasses import dataclass
from enum import StrEnum

import torch
from jaxtyping import Int
from torch import Tensor

from explorer.errors import ExplorerError
from explorer.models.base import Model
from explorer.trace import Ability, Encoding


class Treatment(StrEnum):
    """What happens to a token."""

    NOT_CHOSEN = "not chosen"
    MASKED = "masked"
    RANDOM = "replaced"
    KEPT = "kept"


@dataclass(frozen=True)
class Rates:
    """The share of tokens that are chosen, and of these the shares that are masked and replaced.

    Each is from 0 to 1; the other chosen tokens are kept. Raises ExplorerError for other values.
    """

    chosen: float = 0.15
    masked: float = 0.8
    random: float = 0.1

    def __post_init__(self) -> None:
        fine = 0 <= self.chosen <= 1 and min(self.masked, self.random) >= 0
        if not fine or self.masked + self.random > 1 + 1e-9:
            raise ExplorerError(
                f"{self} are not rates to corrupt a text with.",
                "Each rate is from 0 to 1, and masked and random together are at most 1.",
            )


@dataclass(frozen=True, eq=False)
class CorruptedText:
    """A corrupted text: the treatment of each position, and the ids that the network reads."""

    encoding: Encoding
    treatments: list[Treatment]
    input_ids: Int[Tensor, "pos"]


@dataclass(frozen=True, eq=False)
class TokenLoss:
    """The loss at one chosen position, in nats, with the probability of the original token.

    `guess` is the id of the model's most probable token there.
    """

    position: int
    probability: float
    loss: float
    guess: int


def corrupt(model: Model, encoding: Encoding, seed: int = 0, rates: Rates = Rates()) -> CorruptedText:
    """A text in which random tokens are masked, replaced or kept; a seed always gives the same.

    [CLS] and [SEP] are never chosen. Raises AbilityError for a model that does not fill blanks.
    """
    model.require(Ability.FILL, "guess masked words")
    generator = torch.Generator().manual_seed(seed)
    size = encoding.ids.shape
    choice = torch.rand(size, generator=generator)
    treatment = torch.rand(size, generator=generator)
    other = torch.randint(model.config.d_vocab, size, generator=generator)
    treatments = []
    for position in range(len(encoding)):
        if encoding.special[position] or choice[position] >= rates.chosen:
            treatments.append(Treatment.NOT_CHOSEN)
        elif treatment[position] < rates.masked:
            treatments.append(Treatment.MASKED)
        elif treatment[position] < rates.masked + rates.random:
            treatments.append(Treatment.RANDOM)
        else:
            treatments.append(Treatment.KEPT)
    masked, random = (
        torch.tensor([treatment is kind for treatment in treatments])
        for kind in (Treatment.MASKED, Treatment.RANDOM)
    )
    with_random = torch.where(random, other, encoding.ids)
    input_ids = torch.where(masked, model.tokenizer.special_id("mask"), with_random)
    return CorruptedText(encoding, treatments, input_ids)


def losses(model: Model, corrupted: CorruptedText) -> list[TokenLoss]:
    """The loss at every chosen position; an empty list if none was chosen."""
    treatments = enumerate(corrupted.treatments)
    chosen = [i for i, treatment in treatments if treatment is not Treatment.NOT_CHOSEN]
    if not chosen:
        return []
    last = model.run(corrupted.input_ids[None], segments=corrupted.encoding.segments[None]).last[0]
    logs = model.unembed(last[chosen]).log_softmax(-1)
    original = corrupted.encoding.ids[chosen]
    own, guesses = logs[torch.arange(len(chosen)), original], logs.argmax(-1)
    rows = zip(chosen, own.tolist(), guesses.tolist(), strict=True)
    return [TokenLoss(at, float(torch.tensor(log).exp()), -log, guess) for at, log, guess in rows]


def count(tokens: int, seed: int = 0, rates: Rates = Rates()) -> dict[Treatment, int]:
    """How many of `tokens` tokens get each treatment at these rates."""
    generator = torch.Generator().manual_seed(seed)
    choice, treatment = (torch.rand(tokens, generator=generator) for _ in range(2))
    chosen = choice < rates.chosen
    masked = chosen & (treatment < rates.masked)
    random = chosen & ~masked & (treatment < rates.masked + rates.random)
    return {
        Treatment.NOT_CHOSEN: int((~chosen).sum()),
        Treatment.MASKED: int(masked.sum()),
        Treatment.RANDOM: int(random.sum()),
        Treatment.KEPT: int((chosen & ~masked & ~random).sum()),
    }
