"""What BERT is shown in training: some tokens are masked, replaced or kept, and must be predicted.

Devlin et al. 2019, section 3.1: 15 % of the tokens are chosen; of these 80 % are shown as [MASK],
10 % as a random token, and 10 % as they are. The network must predict the original token at every
chosen position, and the loss is counted at these positions alone:

    loss = - log P(original token | what is shown),  in nats
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
    """How many are chosen of all tokens, and masked and replaced of the chosen ones; the rest is kept.

    Each is a share from 0 to 1. Raises ExplorerError for values without meaning.
    """

    chosen: float = 0.15
    masked: float = 0.8
    random: float = 0.1

    def __post_init__(self) -> None:
        fine = 0 <= self.chosen <= 1 and min(self.masked, self.random) >= 0
        if not fine or self.masked + self.random > 1 + 1e-9:
            raise ExplorerError(
                f"{self} are no rates to corrupt a text with.",
                "Each rate is from 0 to 1, and masked and random together are at most 1.",
            )


@dataclass(frozen=True, eq=False)
class Corrupted:
    """A corrupted text: the treatment of each position, and the ids that the network is shown."""

    encoding: Encoding
    treatments: list[Treatment]
    shown: Int[Tensor, "pos"]


@dataclass(frozen=True, eq=False)
class TokenLoss:
    """The loss at one chosen position, in nats: `probability` is that of the original token.

    `guess` is the id of the token that the model finds most probable there.
    """

    position: int
    probability: float
    loss: float
    guess: int


def corrupt(model: Model, encoding: Encoding, seed: int = 0, rates: Rates = Rates()) -> Corrupted:
    """Choose tokens of a text at random and mask, replace or keep them; a seed always gives the same.

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
        torch.tensor([one is kind for one in treatments]) for kind in (Treatment.MASKED, Treatment.RANDOM)
    )
    shown = torch.where(masked, model.tokenizer.special_id("mask"), torch.where(random, other, encoding.ids))
    return Corrupted(encoding, treatments, shown)


def losses(model: Model, corrupted: Corrupted) -> list[TokenLoss]:
    """The loss at every chosen position; an empty list where none was chosen."""
    chosen = [i for i, one in enumerate(corrupted.treatments) if one is not Treatment.NOT_CHOSEN]
    if not chosen:
        return []
    last = model.run(corrupted.shown[None], segments=corrupted.encoding.segments[None]).last[0]
    logs = model.unembed(last[chosen]).log_softmax(-1)
    original = corrupted.encoding.ids[chosen]
    own, guesses = logs[torch.arange(len(chosen)), original], logs.argmax(-1)
    rows = zip(chosen, own.tolist(), guesses.tolist(), strict=True)
    return [TokenLoss(at, float(torch.tensor(log).exp()), -log, guess) for at, log, guess in rows]


def count(tokens: int, seed: int = 0, rates: Rates = Rates()) -> dict[Treatment, int]:
    """How many of so many tokens get each treatment at these rates."""
    generator = torch.Generator().manual_seed(seed)
    choice, treatment = (torch.rand(tokens, generator=generator) for _ in range(2))
    chosen = choice < rates.chosen
    masked = chosen & (treatment < rates.masked)
    random = chosen & ~masked & (treatment < rates.masked + rates.random)
    found = {Treatment.MASKED: masked, Treatment.RANDOM: random, Treatment.KEPT: chosen & ~masked & ~random}
    return {Treatment.NOT_CHOSEN: int((~chosen).sum())} | {kind: int(of.sum()) for kind, of in found.items()}
