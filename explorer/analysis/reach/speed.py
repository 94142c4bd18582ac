"""The time that ELMo's and BERT's networks take for a text, measured where the program runs.

Both are made for this alone, of one size: 10.6 million weights in their layers, drawn at random, since what a
network has learnt does not change how long it takes. What comes before the layers is kept small.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from time import perf_counter

import torch
from torch import Tensor, nn

from explorer.errors import at_least_one
from explorer.models.bert import Bert, BertConfig
from explorer.models.elmo import Elmo, ElmoConfig
from explorer.tokenizers.characters import PADDING

LENGTHS = (8, 16, 32, 64, 128, 256)  # words
# Six layers of 12 x 384 x 384 weights: the bundled BERT's. Two layers of two readers with
# 9 x 192 x 1536 each are exactly as many, and their sizes stand to each other as in the ELMo paper.
BERT = BertConfig(d_vocab=256, d_model=384, layers=6, heads=12, d_mlp=1536, positions=max(LENGTHS))
ELMO = ElmoConfig(d_half=192, d_hidden=1536, filters=((1, 192),), highways=None, positions=max(LENGTHS))
SECONDS = 0.1  # for each network and length: it is read again until so much has passed
REPEATS = 9  # but no more often than this


@dataclass(frozen=True)
class Times:
    """How long both networks take for one text of so many words: the fastest of several readings.

    `elmo` and `bert` are in seconds, one for each of `lengths`; `threads` is how many the processor gave.

    >>> found = measure([4], seconds=0)
    >>> found.lengths, found.elmo[0] > 0, found.threads >= 1
    ((4,), True, True)
    """

    lengths: tuple[int, ...]
    elmo: tuple[float, ...]
    bert: tuple[float, ...]
    threads: int


@cache
def networks() -> tuple[Elmo, Bert]:
    """The two networks, with weights drawn at random.

    >>> elmo, bert = networks()
    >>> type(elmo).__name__, type(bert).__name__
    ('Elmo', 'Bert')
    """
    generator = torch.Generator().manual_seed(0)
    elmo, bert = Elmo(ELMO, frozenset()), Bert(BERT, frozenset())
    for network in (elmo, bert):
        for weight in network.parameters():
            nn.init.normal_(weight.data, std=0.02, generator=generator)
        network.eval()
    return elmo, bert


def weights(network: nn.Module) -> int:
    """How many numbers a network has learnt, or would have.

    >>> weights(nn.Linear(3, 2))  # six weights and two biases
    8
    """
    return sum(weight.numel() for weight in network.parameters())


def measure(lengths: Sequence[int] = LENGTHS, seconds: float = SECONDS) -> Times:
    """Read texts of these lengths with both networks, one text at a time.

    >>> measure([2, 4], seconds=0).lengths
    (2, 4)

    It takes about 2 x len(lengths) x `seconds`. Raises ExplorerError for a length below 1.
    """
    for words in lengths:
        at_least_one(words=words)
    elmo, bert = networks()
    _time(elmo, _spelled(2), 0)  # the first pass of all sets up what later ones find ready
    _time(bert, torch.ones(1, 2, dtype=torch.long), 0)
    found = [(_time(elmo, _spelled(words), seconds), _time(bert, _ids(words), seconds)) for words in lengths]
    return Times(
        tuple(lengths),
        tuple(elmo for elmo, _ in found),
        tuple(bert for _, bert in found),
        torch.get_num_threads(),
    )


def _ids(words: int) -> Tensor:
    return (torch.arange(words) % BERT.d_vocab)[None]


def _spelled(words: int) -> Tensor:
    """Words of five letters, as ELMo is given them."""
    characters = torch.full((1, words, ELMO.characters), PADDING)
    characters[:, :, :5] = 97 + (torch.arange(words)[:, None] + torch.arange(5)) % 26
    return characters


def _time(network: nn.Module, read: Tensor, seconds: float) -> float:
    """The time of the fastest reading: what else the machine does can only make one slower."""
    taken: list[float] = []
    with torch.no_grad():
        while not taken or (sum(taken) < seconds and len(taken) < REPEATS):
            start = perf_counter()
            network(read)
            taken.append(perf_counter() - start)
    return min(taken)
