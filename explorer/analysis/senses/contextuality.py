"""How alike any two words are to a model: the baseline of cosines between occurrences of one word.

Ethayarajh, "How Contextual are Contextualized Word Representations?" (EMNLP 2019), section 3.3: if all
vectors lie in a narrow cone, a cosine of 0.9 says nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.words import words
from explorer.models.base import Model
from explorer.text.letters import has_letters
from explorer.trace import Capture, Trace, captured


@dataclass(frozen=True, eq=False)
class RandomWords:
    """Words drawn at random, each from a different sentence."""

    vectors: Float[Tensor, "word layer d_model"]

    @property
    def similarity(self) -> Float[Tensor, "layer"]:
        """The mean cosine of two of them."""
        return self_similarity(self.vectors)


def self_similarity(vectors: Float[Tensor, "occurrence layer d_model"]) -> Float[Tensor, "layer"]:
    """The mean cosine between two occurrences of a word (definition 1); nan for fewer than two.

    SelfSim(w) = 1 / (n^2 - n) sum over j, k != j of cos(w_j, w_k)
    """
    n = len(vectors)
    unit = F.normalize(vectors.double(), dim=-1)
    # |sum of unit vectors|^2 counts every pair twice, and n times a vector with itself.
    pairs = unit.sum(0).square().sum(-1) - unit.square().sum((0, 2))
    return (pairs / (n * n - n) if n > 1 else torch.full_like(pairs, torch.nan)).float()


def word_vectors(trace: Trace) -> Float[Tensor, "word layer d_model"]:
    """A vector for every word of a sentence: the mean of its pieces. Signs and special tokens do not
    count."""
    spelled_words = [word for word in words(trace.encoding) if has_letters(word.text) and not word.special]
    hidden = captured(trace.hidden_states)
    if not spelled_words:
        return hidden.new_empty(0, len(hidden), hidden.shape[-1])
    return torch.stack([hidden[:, word.positions].mean(1) for word in spelled_words])


def random_words(model: Model, sentences: Sequence[str], count: int, seed: int = 0) -> RandomWords:
    """Draw `count` sentences, and one word of each, so that no two words share a context.

    Sentences without a word that the model knows are skipped.
    """
    generator = torch.Generator().manual_seed(seed)
    numbers = torch.randperm(len(sentences), generator=generator)[:count].tolist()
    vectors = []
    for trace in model.trace_many([sentences[i] for i in numbers], Capture.HIDDEN):
        sentence_vectors = word_vectors(trace)
        if len(sentence_vectors):
            vectors.append(sentence_vectors[torch.randint(len(sentence_vectors), (), generator=generator)])
    return RandomWords(torch.stack(vectors))
