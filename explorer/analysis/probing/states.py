"""The hidden state of a word: the mean over its pieces, at every layer.

A model that reads whole words (ELMo, word2vec) gets the words as they were cut; any other model reads
the text and cuts it into pieces of its own. A word without a vector, as word2vec passes it over, and a
word beyond the model's context get zeros, and `known` says which words have states.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from explorer.analysis.probing.sentences import Sentence
from explorer.errors import TextError
from explorer.models.base import Model
from explorer.tokenizers.characters import CharacterTokenizer
from explorer.tokenizers.texts import join_words
from explorer.tokenizers.words import WordTokenizer
from explorer.trace import Encoding


@dataclass(frozen=True, eq=False)
class WordStates:
    """The states of a sentence's words, float32, and which words have any."""

    states: Float[Tensor, "depth word d_model"]
    known: Bool[Tensor, "word"]


def word_states(model: Model, sentences: Sequence[Sentence]) -> list[WordStates]:
    """The states of the words of each sentence, run in batches of like length.

    >>> import explorer
    >>> from explorer.analysis.probing.sentences import split
    >>> found = word_states(explorer.load("bert-mini"), [split("The moored boats rocked.")])
    >>> found[0].states.shape
    torch.Size([7, 5, 256])
    """
    encodings, groups = [], []
    for sentence in sentences:
        encoding, spans = _read(model, sentence)
        encodings.append(encoding)
        groups.append(pieces(encoding, spans))
    places = [sorted({place for group in grouped for place in group}) for grouped in groups]
    depth = model.config.layers + 1
    found: list[WordStates] = []
    states = iter(
        model.states_at([e for e, p in zip(encodings, places, strict=True) if p], [p for p in places if p])
    )
    for grouped, kept in zip(groups, places, strict=True):
        if not kept:
            found.append(
                WordStates(
                    torch.zeros(depth, len(grouped), model.config.d_model),
                    torch.zeros(len(grouped), dtype=torch.bool),
                )
            )
            continue
        row = {place: i for i, place in enumerate(kept)}
        member = torch.zeros(len(grouped), len(kept))
        for word, group in enumerate(grouped):
            member[word, [row[place] for place in group]] = 1 / max(len(group), 1)
        found.append(WordStates(member @ next(states), member.any(1)))
    return found


def pieces(encoding: Encoding, spans: Sequence[tuple[int, int]]) -> list[list[int]]:
    """For each word, given by its characters, the positions of the tokens that share one with it."""
    tokens = [
        (place, start, end)
        for place, (start, end) in enumerate(encoding.spans)
        if not encoding.special[place] and end > start
    ]
    return [[place for place, start, end in tokens if start < last and end > first] for first, last in spans]


def _read(model: Model, sentence: Sentence) -> tuple[Encoding, Sequence[tuple[int, int]]]:
    if not isinstance(model.tokenizer, CharacterTokenizer | WordTokenizer):
        return model.encode(sentence.text), sentence.spans
    words = sentence.words
    spans = join_words(words)[1]
    try:
        return model.encode(words), spans
    except TextError:  # word2vec knows none of them
        return Encoding(
            " ".join(words),
            [],
            torch.zeros(0, dtype=torch.long),
            [],
            torch.zeros(0, dtype=torch.bool),
            torch.zeros(0, dtype=torch.long),
        ), spans
