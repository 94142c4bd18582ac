"""Sentences as rows of one table of vectors, of any kind: counts of words, or a model's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.sentences.embedding import Progress, embed
from explorer.models import Model
from explorer.short_text import WithShortText


@dataclass(frozen=True, eq=False, repr=False)
class SentenceVectors(WithShortText):
    """Texts with their vectors of length 1, or of zeros if none of a text's words is known.

    `place` gives other texts, such as a question, their vectors in the same space.
    """

    texts: list[str]
    vectors: Float[Tensor, "text d_model"]
    place: Callable[[Sequence[str]], Float[Tensor, "text d_model"]] = field(repr=False)

    @property
    def cosines(self) -> Float[Tensor, "text text"]:
        """The cosine of each pair of texts; 0 with a text of unknown words."""
        return self.vectors @ self.vectors.T

    def nearest(self, index: int, top: int = 5) -> list[tuple[int, float]]:
        """The other texts that are nearest to one of them, with their cosines; equal ones in their order."""
        cosines = self.cosines[index].tolist()
        others = (i for i in range(len(cosines)) if i != index)
        return [(i, cosines[i]) for i in sorted(others, key=lambda i: (-round(cosines[i], 6), i))[:top]]

    def search(self, text: str, top: int = 5) -> list[tuple[int, float]]:
        """The texts that are nearest to another one, such as a question, with their cosines."""
        cosines = self.vectors @ self.place([text])[0]
        best = cosines.topk(min(top, len(cosines)))
        return list(zip(best.indices.tolist(), best.values.tolist(), strict=True))


def read(
    model: Model | None,
    texts: Sequence[str],
    progress: Progress | None = None,
    prompts: tuple[str, str] = ("", ""),
) -> SentenceVectors:
    """The vectors of some texts by a model, or without one by counts of words (TF-IDF).

    `prompts` are put before a text that is searched for, and before each of `texts`. Raises TextError.

    >>> found = read(None, ["It rains in May.", "We sat down.", "In May it snows."])
    >>> [index for index, _ in found.nearest(0, 1)]
    [2]
    """
    if model is None:
        return _counted(texts)
    query, passage = prompts
    vectors = F.normalize(embed(model, texts, progress, passage), dim=-1)
    return SentenceVectors(
        list(texts), vectors, lambda asked: F.normalize(embed(model, asked, prompt=query), dim=-1)
    )


def _counted(texts: Sequence[str]) -> SentenceVectors:
    """How often each word occurs, times how rare it is among the texts; scikit-learn's TfidfVectorizer."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    counter = TfidfVectorizer(token_pattern=r"(?u)\b\w+\b")

    def place(asked: Sequence[str]) -> Float[Tensor, "text d_model"]:
        return torch.from_numpy(counter.transform(asked).toarray()).float()

    try:
        counter.fit(texts)
    except ValueError:  # no text has a word
        return SentenceVectors(
            list(texts), torch.zeros(len(texts), 1), lambda asked: torch.zeros(len(asked), 1)
        )
    return SentenceVectors(list(texts), place(texts), place)
