"""How a character network (ELMo) computes a word's vector: filters, highways, projection.

    characters -> filters of each width, max pooling over the word -> highways -> vector

Paper: Kim, Jernite, Sontag, Rush, "Character-Aware Neural Language Models" (AAAI 2016), sections 2.2
and 2.3; in ELMo: Peters et al., "Deep contextualized word representations" (NAACL 2018), section 3.4.
The vector is the network's layer 0, which both directions read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from jaxtyping import Float, Int
from torch import Tensor

from explorer.analysis.vectors.table import Vectors
from explorer.errors import AbilityError, TextError
from explorer.locale import _
from explorer.models import LanguageModel
from explorer.models.base import weights_here
from explorer.models.character_words import Highway, Words
from explorer.models.elmo import Elmo
from explorer.tokenizers.characters import spelled
from explorer.trace import Ability

BATCH = 256  # words of similar length that are read together
BEGIN, END = "begin", "end"  # the marks around a word's characters


@dataclass(frozen=True, eq=False)
class Filters:
    """All filters of one width: for each its strongest match in the word, and the position of the match.

    `values` are the inputs of the highway, after bias and activation. `starts` are indices of
    `SpelledWord.characters`; one at or beyond their end means that the filter matches padding best.
    """

    width: int
    values: Float[Tensor, "filter"]
    starts: Int[Tensor, "filter"]


@dataclass(frozen=True, eq=False)
class SpelledWord:
    """A word with the intermediate results of the character network.

    `characters` are the word's bytes between the marks of its beginning and end; the bytes of a letter are
    numbered: `é₁`, `é₂`. `carried` is the share of each dimension that a highway passes on unchanged, from 0
    to 1. `cut` is the number of bytes beyond the longest word that the network reads.
    """

    word: str
    characters: list[str]
    filters: list[Filters]
    carried: list[Float[Tensor, "filter"]]
    vector: Float[Tensor, "half"]
    cut: int = 0


def read(model: LanguageModel, word: str) -> SpelledWord:
    """A word's vector at layer 0, with the steps that lead to it.

    Raises TextError if there is no word, or more than one; AbilityError for a model without a character
    network.

    >>> word = read(explorer.load("elmo"), "bank")
    >>> word.characters, [filters.width for filters in word.filters]
    (['begin', 'b', 'a', 'n', 'k', 'end'], [1, 2, 3, 4, 5])
    """
    network = _network(model)
    word = _single_word(word)
    ids = _ids(network, [word])
    with torch.no_grad():
        filters = [_apply_filters(network, i, ids) for i in range(len(network.filters))]
        x = torch.cat([each.values for each in filters])[None]
        carried = []
        for highway in network.highways:
            assert isinstance(highway, Highway)
            carried.append(1 - torch.sigmoid(highway.carry(x[0])))
            x = highway(x)
        vector = network.project(x)[0]
    room, size = network.room - 2, len(word.encode())
    return SpelledWord(word, _labels(word, room), filters, carried, vector, max(size - room, 0))


def vocabulary(model: LanguageModel, words: Sequence[str]) -> Vectors:
    """The vectors of some words at layer 0. Raises AbilityError for a model without a character network.

    >>> vocabulary(explorer.load("elmo"), ["river", "rivers"]).matrix.shape
    torch.Size([2, 128])
    """
    network = _network(model)
    vectors = torch.zeros(len(words), model.config.d_half)
    for rows in _batches(words):
        with torch.no_grad():
            vectors[rows] = network(_ids(network, [words[i] for i in rows]))
    return Vectors(list(words), vectors)


def own_words(model: LanguageModel) -> list[str]:
    """The words of the model's vocabulary, without special tokens; empty if it predicts no words.

    >>> "bank" in own_words(explorer.load("elmo"))
    True
    """
    tokenizer = model.tokenizer
    return [tokenizer.readable(id) for id in range(tokenizer.size) if id not in tokenizer.special_ids]


def _network(model: LanguageModel) -> Words:
    weights_here(model, "its letters cannot be looked at")
    if Ability.CHARACTERS not in model.abilities:
        raise AbilityError(
            _("{model} does not read words by their characters.", model=model.checkpoint), _("Choose ELMo.")
        )
    return cast(Elmo, model.network).words


def _single_word(word: str) -> str:
    parts = word.split()
    if not parts:
        raise TextError(_("There is no word."), _("Type one, or make one up."))
    if len(parts) > 1:
        raise TextError(_("“{text}” is more than one word.", text=word.strip()[:60]), _("Type one word."))
    return parts[0]


def _ids(network: Words, words: Sequence[str]) -> Int[Tensor, "word char"]:
    """The characters of some words, padded by no more than a filter's width."""
    rows = torch.tensor([spelled(word, network.room) for word in words])
    longest = max(len(word.encode()) for word in words) + 2
    return rows[:, : min(network.room, longest + network.widest)]


def _apply_filters(network: Words, number: int, ids: Int[Tensor, "1 char"]) -> Filters:
    convolution = network.filters[number]
    weight, bias = convolution.weight, convolution.bias
    assert isinstance(weight, Tensor) and isinstance(bias, Tensor)
    _, width, d_char, count = weight.shape
    windows = network.characters[ids[0]].flatten().unfold(0, width * d_char, d_char)
    best = (windows @ weight.view(-1, count)).max(0)
    return Filters(width, network.activation(best.values + bias), best.indices)


def _labels(word: str, room: int) -> list[str]:
    """The labels of a word's bytes, as far as the network reads them."""
    labels = []
    for letter in word:
        size = len(letter.encode())
        labels += [letter] if size == 1 else [f"{letter}{'₁₂₃₄'[i]}" for i in range(size)]
    return [BEGIN, *labels[:room], END]


def _batches(words: Sequence[str]) -> list[list[int]]:
    order = sorted(range(len(words)), key=lambda i: len(words[i].encode()))
    return [order[i : i + BATCH] for i in range(0, len(order), BATCH)]
