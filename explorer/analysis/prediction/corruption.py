"""How BERT was taught: dice decide which tokens it must guess, and what it sees in their place.

Devlin et al. 2019, section 3.1: 15 % of the tokens are chosen; a chosen one is shown as [MASK] with
80 %, as a random token with 10 %, and as it is with 10 %. The network must say what stood there, and
learns from these positions alone:

    loss = - log P(the token that stood there | what is shown),  in nats
"""

from dataclasses import dataclass
from enum import StrEnum

import torch
from jaxtyping import Int
from torch import Tensor

from explorer.errors import ExplorerError
from explorer.models.base import LanguageModel
from explorer.trace import Ability, Encoding


class Fate(StrEnum):
    """What the dice make of a token."""

    ALONE = "not chosen"
    HIDDEN = "hidden"
    RANDOM = "replaced"
    KEPT = "kept"


@dataclass(frozen=True)
class Dice:
    """The shares: of all tokens the chosen ones, of these the hidden and the replaced; the rest is kept.

    Raises ExplorerError for shares without meaning.
    """

    chosen: float = 0.15
    hidden: float = 0.8
    random: float = 0.1

    def __post_init__(self) -> None:
        fine = 0 <= self.chosen <= 1 and min(self.hidden, self.random) >= 0
        if not fine or self.hidden + self.random > 1 + 1e-9:
            raise ExplorerError(
                f"{self} is no way to share tokens out.",
                "Each share is from 0 to 1, and hidden and random together are at most 1.",
            )


@dataclass(frozen=True, eq=False)
class Throw:
    """One throw over a text: a fate for each position, and the ids that the network is shown."""

    encoding: Encoding
    fates: list[Fate]
    shown: Int[Tensor, "pos"]


@dataclass(frozen=True, eq=False)
class Lesson:
    """One chosen position after the network has answered: what it lost there, and its own best guess."""

    position: int
    probability: float
    loss: float
    guess: int


def throw(model: LanguageModel, encoding: Encoding, seed: int = 0, dice: Dice = Dice()) -> Throw:
    """Throw the dice over a text; the same seed throws the same. [CLS] and [SEP] are never chosen.

    Raises AbilityError for a model that does not fill blanks.
    """
    model.require(Ability.FILL, "guess masked words")
    generator = torch.Generator().manual_seed(seed)
    size = encoding.ids.shape
    draw = torch.rand(size, generator=generator)
    fate = torch.rand(size, generator=generator)
    other = torch.randint(model.config.d_vocab, size, generator=generator)
    fates = []
    for position in range(len(encoding)):
        if encoding.special[position] or draw[position] >= dice.chosen:
            fates.append(Fate.ALONE)
        elif fate[position] < dice.hidden:
            fates.append(Fate.HIDDEN)
        else:
            fates.append(Fate.RANDOM if fate[position] < dice.hidden + dice.random else Fate.KEPT)
    hidden, random = (torch.tensor([f is kind for f in fates]) for kind in (Fate.HIDDEN, Fate.RANDOM))
    shown = torch.where(hidden, model.tokenizer.mask, torch.where(random, other, encoding.ids))
    return Throw(encoding, fates, shown)


def lessons(model: LanguageModel, thrown: Throw) -> list[Lesson]:
    """What the network loses at every chosen position; none where none was chosen."""
    chosen = [i for i, fate in enumerate(thrown.fates) if fate is not Fate.ALONE]
    if not chosen:
        return []
    with torch.no_grad():
        last = model.network(thrown.shown[None], segments=thrown.encoding.segments[None]).last[0]
    logs = model.unembed(last[chosen]).log_softmax(-1)
    stood = thrown.encoding.ids[chosen]
    rows = zip(chosen, logs[torch.arange(len(chosen)), stood].tolist(), logs.argmax(-1).tolist(), strict=True)
    return [Lesson(at, float(torch.tensor(log).exp()), -log, guess) for at, log, guess in rows]


def tally(tokens: int, seed: int = 0, dice: Dice = Dice()) -> dict[Fate, int]:
    """How many of so many tokens meet each fate, by the same dice thrown once over all of them."""
    generator = torch.Generator().manual_seed(seed)
    draw, fate = (torch.rand(tokens, generator=generator) for _ in range(2))
    chosen = draw < dice.chosen
    hidden = chosen & (fate < dice.hidden)
    random = chosen & ~hidden & (fate < dice.hidden + dice.random)
    counts = {Fate.HIDDEN: hidden, Fate.RANDOM: random, Fate.KEPT: chosen & ~hidden & ~random}
    return {Fate.ALONE: int((~chosen).sum())} | {kind: int(which.sum()) for kind, which in counts.items()}
