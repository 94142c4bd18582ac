"""The hidden state of a word: the mean over its pieces, at every layer.

A model of whole words (ELMo, word2vec) gets the sentence's words; any other model tokenizes the text itself.
A word without a vector (in word2vec) or beyond the model's context gets zeros, and `has_state` is False for
it.
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
    """The states of a sentence's words in float32, and which words have one."""

    states: Float[Tensor, "depth word d_model"]
    has_state: Bool[Tensor, "word"]
    sentence: Sentence


def word_states(model: Model, sentences: Sequence[Sentence]) -> list[WordStates]:
    """The states of the words of each sentence, run in batches of similar length."""
    encodings, groups = [], []
    for sentence in sentences:
        encoding, spans = _read(model, sentence)
        encodings.append(encoding)
        groups.append(pieces(encoding, spans))
    places = [sorted({place for group in words for place in group}) for words in groups]
    readable = [(encoding, p) for encoding, p in zip(encodings, places, strict=True) if p]
    states = iter(model.states_at([encoding for encoding, _ in readable], [p for _, p in readable]))
    result: list[WordStates] = []
    for sentence, words, positions in zip(sentences, groups, places, strict=True):
        row = {place: i for i, place in enumerate(positions)}
        member = torch.zeros(len(words), len(positions))
        for word, group in enumerate(words):
            member[word, [row[place] for place in group]] = 1 / max(len(group), 1)
        if positions:
            means = member @ next(states)
        else:
            means = torch.zeros(model.config.layers + 1, len(words), model.config.d_model)
        result.append(WordStates(means, member.any(1), sentence))
    return result


def pieces(encoding: Encoding, spans: Sequence[tuple[int, int]]) -> list[list[int]]:
    """For each word, given by its span, the positions of the tokens that overlap it."""
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
    except TextError:  # word2vec does not know any of them
        return Encoding(
            " ".join(words),
            [],
            torch.zeros(0, dtype=torch.long),
            [],
            torch.zeros(0, dtype=torch.bool),
            torch.zeros(0, dtype=torch.long),
        ), spans
