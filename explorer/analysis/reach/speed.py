"""The time that ELMo's and BERT's networks take for a text, measured where the program runs.

Both networks have the same size, 10.6 million random weights in their layers: the values of the weights do
not change the time. The parts before the layers are small.
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
# 9 x 192 x 1536 each are exactly as many, with the proportions of the ELMo paper.
BERT = BertConfig(d_vocab=256, d_model=384, layers=6, heads=12, d_mlp=1536, positions=max(LENGTHS))
ELMO = ElmoConfig(d_half=192, d_hidden=1536, filters=((1, 192),), highways=None, positions=max(LENGTHS))
SECONDS = 0.1  # each network reads each length again until this time has passed
REPEATS = 9  # at most


@dataclass(frozen=True)
class Times:
    """How long both networks take for texts of several lengths: the fastest of several runs.

    `elmo` and `bert` are in seconds, one for each of `lengths`; `threads` is the number of CPU threads.

    >>> times = measure([4], seconds=0)
    >>> times.lengths, times.elmo[0] > 0, times.threads >= 1
    ((4,), True, True)
    """

    lengths: tuple[int, ...]
    elmo: tuple[float, ...]
    bert: tuple[float, ...]
    threads: int


@cache
def networks() -> tuple[Elmo, Bert]:
    """The two networks, with random weights.

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
    """The number of parameters of a network.

    >>> weights(nn.Linear(3, 2))  # six weights and two biases
    8
    """
    return sum(weight.numel() for weight in network.parameters())


def measure(lengths: Sequence[int] = LENGTHS, seconds: float = SECONDS) -> Times:
    """The times of both networks for texts of these lengths, one text at a time.

    >>> measure([2, 4], seconds=0).lengths
    (2, 4)

    It takes about 2 x len(lengths) x `seconds`. Raises ExplorerError for a length below 1.
    """
    for words in lengths:
        at_least_one(words=words)
    elmo, bert = networks()
    _time(elmo, _spelled(2), 0)  # warm-up: the first pass is slower
    _time(bert, torch.ones(1, 2, dtype=torch.long), 0)
    times = [(_time(elmo, _spelled(words), seconds), _time(bert, _ids(words), seconds)) for words in lengths]
    return Times(
        tuple(lengths),
        tuple(elmo for elmo, _ in times),
        tuple(bert for _, bert in times),
        torch.get_num_threads(),
    )


def _ids(words: int) -> Tensor:
    return (torch.arange(words) % BERT.d_vocab)[None]


def _spelled(words: int) -> Tensor:
    """Words of five letters, as the characters that ELMo reads."""
    characters = torch.full((1, words, ELMO.characters), PADDING)
    characters[:, :, :5] = 97 + (torch.arange(words)[:, None] + torch.arange(5)) % 26
    return characters


def _time(network: nn.Module, read: Tensor, seconds: float) -> float:
    """The time of the fastest run: other work of the machine can only slow one down."""
    times: list[float] = []
    with torch.no_grad():
        while not times or (sum(times) < seconds and len(times) < REPEATS):
            start = perf_counter()
            network(read)
            times.append(perf_counter() - start)
    return min(times)
