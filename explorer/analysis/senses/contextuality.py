"""How much a word's vector depends on its sentence, and how much of that is the space's own narrowness.

Ethayarajh, "How Contextual are Contextualized Word Representations?" (EMNLP 2019). His three measures
(section 3.2) are taken layer by layer, and each is compared with what words drawn at random have
(section 3.3): where all vectors lie in a narrow cone, a cosine of 0.9 says nothing.

    self-similarity            the same word in different sentences
    intra-sentence similarity  the words of one sentence, each to their mean
    maximum explainable variance    how far one direction can stand for all occurrences of a word
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.words import words
from explorer.models.base import Model
from explorer.text.letters import has_letters
from explorer.trace import Capture, Trace, captured

DRAWS = 20  # samples of random words that a baseline is the mean of


@dataclass(frozen=True, eq=False)
class RandomWords:
    """Words drawn at random, each from another sentence: how alike any two are, by layer."""

    vectors: Float[Tensor, "word layer d_model"]

    @property
    def similarity(self) -> Float[Tensor, "layer"]:
        """The mean cosine of any two of them: what self- and intra-sentence similarity are compared with."""
        return self_similarity(self.vectors)

    def explainable_variance(self, count: int, seed: int = 0) -> Float[Tensor, "layer"]:
        """The maximum explainable variance of `count` of them, the mean of several draws.

        As many as the word it is compared with has occurrences: of few vectors one direction always
        explains more. (The paper's code compares with one draw of 1,000.)
        """
        generator = torch.Generator().manual_seed(seed)
        count = min(count, len(self.vectors))
        drawn = [torch.randperm(len(self.vectors), generator=generator)[:count] for _ in range(DRAWS)]
        return torch.stack([explainable_variance(self.vectors[some]) for some in drawn]).mean(0)


@dataclass(frozen=True, eq=False)
class Contextuality:
    """The three measures of a word in its sentences, by layer, and what random words have of each.

    `random_similarity` is to be compared with the first two, `random_variance` with the third.
    """

    self_similarity: Float[Tensor, "layer"]
    intra_sentence: Float[Tensor, "layer"]
    explainable_variance: Float[Tensor, "layer"]
    random_similarity: Float[Tensor, "layer"]
    random_variance: Float[Tensor, "layer"]

    def adjusted(self) -> "Contextuality":
        """The three, less what random words have: the part that the narrowness of the space leaves."""
        nothing = torch.zeros_like(self.random_similarity)
        return Contextuality(
            self.self_similarity - self.random_similarity,
            self.intra_sentence - self.random_similarity,
            self.explainable_variance - self.random_variance,
            nothing,
            nothing,
        )


def contextuality(
    vectors: Float[Tensor, "occurrence layer d_model"],
    similarities: Sequence[Float[Tensor, "layer"]],
    drawn: RandomWords,
) -> Contextuality:
    """All three measures of a word, from its vectors and the intra-sentence similarity of its sentences."""
    return Contextuality(
        self_similarity(vectors),
        torch.stack(list(similarities)).nanmean(0),
        explainable_variance(vectors),
        drawn.similarity,
        drawn.explainable_variance(len(vectors)),
    )


def self_similarity(vectors: Float[Tensor, "occurrence layer d_model"]) -> Float[Tensor, "layer"]:
    """The mean cosine between two occurrences of a word (definition 1); nan for fewer than two.

    SelfSim(w) = 1 / (n^2 - n) sum over j, k != j of cos(w_j, w_k)
    """
    n = len(vectors)
    unit = F.normalize(vectors.double(), dim=-1)
    # |sum of unit vectors|^2 holds every pair twice and n times a vector with itself.
    pairs = unit.sum(0).square().sum(-1) - unit.square().sum((0, 2))
    return (pairs / (n * n - n) if n > 1 else torch.full_like(pairs, torch.nan)).float()


def intra_sentence(vectors: Float[Tensor, "word layer d_model"]) -> Float[Tensor, "layer"]:
    """The mean cosine of a sentence's words to their mean vector (definition 2); nan without words.

    IntraSim(s) = 1/n sum over i of cos(mean of the words, w_i)
    """
    return F.cosine_similarity(vectors.double().mean(0)[None], vectors.double(), dim=-1).mean(0).float()


def explainable_variance(vectors: Float[Tensor, "occurrence layer d_model"]) -> Float[Tensor, "layer"]:
    """The share of a word's vectors that one direction explains (definition 3).

        MEV(w) = s_1^2 / sum over i of s_i^2      s: singular values of the matrix of all occurrences

    1 where one vector could stand for all of them, as in word2vec. As the definition has it, the
    vectors are not centred first.
    """
    squares: Tensor = torch.linalg.svdvals(vectors.double().transpose(0, 1)).square()
    return (squares[:, :1].sum(-1) / squares.sum(-1)).float()


def word_vectors(trace: Trace) -> Float[Tensor, "word layer d_model"]:
    """A vector for every word of a sentence, its pieces' mean. Signs and special tokens are no words."""
    spelt = [word for word in words(trace.encoding) if has_letters(word.text) and not word.special]
    hidden = captured(trace.hidden_states)
    if not spelt:
        return hidden.new_empty(0, len(hidden), hidden.shape[-1])
    return torch.stack([hidden[:, word.positions].mean(1) for word in spelt])


def sentence_similarities(model: Model, sentences: Iterable[str]) -> Iterator[Float[Tensor, "layer"]]:
    """The intra-sentence similarity of each sentence, in order, as it is read."""
    for trace in model.trace_many(sentences, Capture.HIDDEN):
        yield intra_sentence(word_vectors(trace))


def random_words(
    model: Model,
    sentences: Sequence[str],
    count: int,
    seed: int = 0,
    step: Callable[[int, int], None] | None = None,
) -> RandomWords:
    """Draw `count` sentences, and one word of each: no two share a context.

    Sentences without a word that the model knows are passed over. `step(done, all)` is called
    while they are read.
    """
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randperm(len(sentences), generator=generator)[:count].tolist()
    vectors = []
    traces = model.trace_many([sentences[i] for i in drawn], Capture.HIDDEN)
    for done, trace in enumerate(traces, 1):
        of_sentence = word_vectors(trace)
        if len(of_sentence):
            vectors.append(of_sentence[torch.randint(len(of_sentence), (), generator=generator)])
        if step is not None:
            step(done, len(drawn))
    return RandomWords(torch.stack(vectors))
