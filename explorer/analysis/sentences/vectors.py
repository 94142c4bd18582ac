"""Sentences as rows of one table of vectors, of any kind: counts of words, or a model's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.sentences.embedding import Progress, embed, prompts
from explorer.models import Model
from explorer.short_text import WithShortText
from explorer.text.folding import fold
from explorer.text.words import words, words_sought


@dataclass(frozen=True, eq=False, repr=False)
class SentenceVectors(WithShortText):
    """Texts with their vectors of length 1, or of zeros if none of a text's words is known.

    `place` gives other texts, such as a question, their vectors in the same space. The vectors of counts are
    sparse.

    >>> texts = read(None, ["It rains in May.", "We sat down.", "In May it snows."])
    >>> [index for index, _ in texts.nearest(0, 1)], [index for index, _ in texts.search("May", 1)]
    ([2], [0])
    """

    texts: list[str]
    vectors: Float[Tensor, "text d_model"]
    place: Callable[[Sequence[str]], Tensor] = field(repr=False)

    @property
    def dense(self) -> Float[Tensor, "text d_model"]:
        """The vectors, with their zeros."""
        return _dense(self.vectors)

    @property
    def cosines(self) -> Float[Tensor, "text text"]:
        """The cosine of each pair of texts; 0 with a text of unknown words."""
        return (self.dense @ self.dense.T).clamp(-1, 1)

    def nearest(self, index: int, top: int = 5) -> list[tuple[int, float]]:
        """The other texts that are nearest to one of them, with their cosines; equal ones in their order."""
        return [
            (i, cosine) for i, cosine in self._ranked(_dense(self.vectors[index]), top + 1) if i != index
        ][:top]

    def search(self, text: str, top: int = 5) -> list[tuple[int, float]]:
        """The texts that are nearest to another one, such as a question, with their cosines."""
        return self._ranked(_dense(self.place([text]))[0], top)

    def best(self, others: Float[Tensor, "other d_model"]) -> list[float]:
        """The highest cosine that each of some vectors has with a text; `place` makes such vectors."""
        cosines: list[float] = (self.vectors @ _dense(others).T).amax(0).tolist()
        return cosines

    def _ranked(self, vector: Float[Tensor, "d_model"], top: int) -> list[tuple[int, float]]:
        cosines = self.vectors @ vector
        levels = cosines.round(decimals=6)
        first = (levels >= levels.topk(min(top, len(levels))).values[-1]).nonzero()[
            :, 0
        ]  # sorting all takes longer
        order = first[levels[first].sort(descending=True, stable=True).indices[:top]]
        return list(zip(order.tolist(), cosines[order].tolist(), strict=True))


def read(model: Model | None, texts: Sequence[str], progress: Progress | None = None) -> SentenceVectors:
    """The vectors of some texts by a model, or without one by counts of words (TF-IDF).

    What the model's files put before a question and before a passage is put there. Raises TextError if there
    is no text.

    >>> read(None, ["It rains.", "It snows.", ""]).cosines.shape
    torch.Size([3, 3])
    """
    if model is None:
        return _word_counts(texts)
    return with_rows(model, texts, unit_vectors(model, texts, progress))


def unit_vectors(
    model: Model, texts: Sequence[str], progress: Progress | None = None
) -> Float[Tensor, "text d_model"]:
    """The vectors of passages by a model, of length 1."""
    return F.normalize(embed(model, texts, progress, prompts(model)[1]), dim=-1)


def with_rows(model: Model, texts: Sequence[str], vectors: Float[Tensor, "text d_model"]) -> SentenceVectors:
    """Passages with their `unit_vectors`, which may have been read at different times."""
    query = prompts(model)[0]
    return SentenceVectors(
        list(texts), vectors, lambda others: F.normalize(embed(model, others, prompt=query), dim=-1)
    )


def _word_counts(texts: Sequence[str]) -> SentenceVectors:
    """How often each word occurs, times how rare it is among the texts; scikit-learn's TfidfVectorizer.

    Of another text those words count that a question asks for, as in BM25.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    counter = TfidfVectorizer(tokenizer=lambda text: words(fold(text)), token_pattern=None)
    try:
        counter.fit(texts)
    except ValueError:  # no text has a word
        return SentenceVectors(
            list(texts), torch.zeros(len(texts), 1), lambda others: torch.zeros(len(others), 1)
        )

    sought = TfidfVectorizer(
        tokenizer=lambda text: words_sought(fold(text)), token_pattern=None, vocabulary=counter.vocabulary_
    )
    sought.idf_ = counter.idf_

    def place(others: Sequence[str], vectorizer: Any = sought) -> Tensor:
        counts = vectorizer.transform(others).tocoo()
        at = torch.from_numpy(np.stack([counts.row, counts.col]).astype(np.int64))
        numbers = torch.from_numpy(counts.data).float()
        return torch.sparse_coo_tensor(at, numbers, counts.shape, check_invariants=False).coalesce()

    return SentenceVectors(list(texts), place(texts, counter), place)


def _dense(vectors: Tensor) -> Tensor:
    return vectors.to_dense() if vectors.is_sparse else vectors
