"""How much a word's vector depends on its sentence, adjusted for anisotropy.

Ethayarajh, "How Contextual are Contextualized Word Representations?" (EMNLP 2019). The three measures
(section 3.2) are computed layer by layer, and each is compared with its value for random words (section 3.3):
if all vectors lie in a narrow cone, a cosine of 0.9 says nothing.

    self-similarity            the same word in different sentences
    intra-sentence similarity  the words of one sentence, each to their mean
    maximum explainable variance    how well one direction represents all occurrences of a word
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.words import words
from explorer.models.base import Model
from explorer.text.letters import has_letters
from explorer.trace import Capture, Trace, captured

DRAWS = 20  # samples of random words that a baseline averages


@dataclass(frozen=True, eq=False)
class RandomWords:
    """Words drawn at random, each from a different sentence: the baselines, by layer."""

    vectors: Float[Tensor, "word layer d_model"]

    @property
    def similarity(self) -> Float[Tensor, "layer"]:
        """The mean cosine of two of them: the baseline of self- and intra-sentence similarity."""
        return self_similarity(self.vectors)

    def explainable_variance(self, count: int, seed: int = 0) -> Float[Tensor, "layer"]:
        """The maximum explainable variance of `count` of them, averaged over several draws.

        `count` is the number of occurrences of the word that is compared: one direction always explains more
        of fewer vectors. (The paper's code compares with one draw of 1,000.)
        """
        generator = torch.Generator().manual_seed(seed)
        count = min(count, len(self.vectors))
        samples = [torch.randperm(len(self.vectors), generator=generator)[:count] for _ in range(DRAWS)]
        return torch.stack([explainable_variance(self.vectors[sample]) for sample in samples]).mean(0)


@dataclass(frozen=True, eq=False)
class Contextuality:
    """The three measures of a word in its sentences, by layer, and their baselines.

    `random_similarity` is the baseline of the first two, `random_variance` that of the third.
    """

    self_similarity: Float[Tensor, "layer"]
    intra_sentence: Float[Tensor, "layer"]
    explainable_variance: Float[Tensor, "layer"]
    random_similarity: Float[Tensor, "layer"]
    random_variance: Float[Tensor, "layer"]

    def adjusted(self) -> "Contextuality":
        """The three measures minus their baselines: what anisotropy does not explain."""
        zeros = torch.zeros_like(self.random_similarity)
        return Contextuality(
            self.self_similarity - self.random_similarity,
            self.intra_sentence - self.random_similarity,
            self.explainable_variance - self.random_variance,
            zeros,
            zeros,
        )


def contextuality(
    vectors: Float[Tensor, "occurrence layer d_model"],
    similarities: Sequence[Float[Tensor, "layer"]],
    baseline: RandomWords,
) -> Contextuality:
    """All three measures of a word, from its vectors and the intra-sentence similarity of its sentences."""
    return Contextuality(
        self_similarity(vectors),
        torch.stack(list(similarities)).nanmean(0),
        explainable_variance(vectors),
        baseline.similarity,
        baseline.explainable_variance(len(vectors)),
    )


def self_similarity(vectors: Float[Tensor, "occurrence layer d_model"]) -> Float[Tensor, "layer"]:
    """The mean cosine between two occurrences of a word (definition 1); nan for fewer than two.

    SelfSim(w) = 1 / (n^2 - n) sum over j, k != j of cos(w_j, w_k)
    """
    n = len(vectors)
    unit = F.normalize(vectors.double(), dim=-1)
    # |sum of unit vectors|^2 counts every pair twice, and n times a vector with itself.
    pairs = unit.sum(0).square().sum(-1) - unit.square().sum((0, 2))
    return (pairs / (n * n - n) if n > 1 else torch.full_like(pairs, torch.nan)).float()


def intra_sentence(vectors: Float[Tensor, "word layer d_model"]) -> Float[Tensor, "layer"]:
    """The mean cosine of a sentence's words to their mean vector (definition 2); nan if there are no words.

    IntraSim(s) = 1/n sum over i of cos(mean of the words, w_i)
    """
    return F.cosine_similarity(vectors.double().mean(0)[None], vectors.double(), dim=-1).mean(0).float()


def explainable_variance(vectors: Float[Tensor, "occurrence layer d_model"]) -> Float[Tensor, "layer"]:
    """The share of a word's vectors that one direction explains (definition 3).

        MEV(w) = s_1^2 / sum over i of s_i^2      s: singular values of the matrix of all occurrences

    1 if one vector could represent all of them, as in word2vec. As in the definition, the vectors are not
    centred first. 0 where all vectors are 0.
    """
    squares: Tensor = torch.linalg.svdvals(vectors.double().transpose(0, 1)).square()
    return (squares[:, :1].sum(-1) / squares.sum(-1).clamp(min=torch.finfo(squares.dtype).tiny)).float()


def word_vectors(trace: Trace) -> Float[Tensor, "word layer d_model"]:
    """A vector for every word of a sentence: the mean of its pieces. Signs and special tokens do not
    count."""
    spelled_words = [word for word in words(trace.encoding) if has_letters(word.text) and not word.special]
    hidden = captured(trace.hidden_states)
    if not spelled_words:
        return hidden.new_empty(0, len(hidden), hidden.shape[-1])
    return torch.stack([hidden[:, word.positions].mean(1) for word in spelled_words])


def sentence_similarities(model: Model, sentences: Iterable[str]) -> Iterator[Float[Tensor, "layer"]]:
    """The intra-sentence similarity of each sentence, in order."""
    for trace in model.trace_many(sentences, Capture.HIDDEN):
        yield intra_sentence(word_vectors(trace))


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
