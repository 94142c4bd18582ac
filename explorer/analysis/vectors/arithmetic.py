"""Arithmetic with words: analogies, axes from one word to another, and a plane that preserves sums.

All vectors are scaled to length 1 first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.vectors.table import Vectors
from explorer.analysis.vectors.words import Neighbour, ranked
from explorer.errors import TextError, at_least_one
from explorer.locale import _
from explorer.short_text import WithShortText


@dataclass(frozen=True, eq=False, repr=False)
class Analogy(WithShortText):
    """The words nearest to a - b + c.

    `answers` excludes a, b and c, as the published figures do; `everything` includes them, and then one of
    the three is usually the nearest. `by_product` is the answer by 3CosMul, None if all words are in the
    question. `target` is the sum of the unit vectors. `vectors` place the words in its picture.

    >>> vectors = Vectors(["one", "two", "three"], torch.eye(3))
    >>> result = analogy(vectors, "one", "two", "three", top=1)
    >>> [word.word for word in result.answers], [word.word for word in result.everything]
    ([], ['one'])
    """

    a: str
    b: str
    c: str
    target: Float[Tensor, "d_model"]
    answers: list[Neighbour]
    everything: list[Neighbour]
    by_product: str | None = None
    vectors: Vectors | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False)
class Plane:
    """Points on the plane of largest variance, by a linear map, so that sums of vectors are preserved.

    `points` has a row for every word, then one for every extra vector. `explained` is the share of the words'
    variance along each axis.

    >>> result = plane(Vectors(["a", "b"], torch.tensor([[1.0, 0], [0, 1]])), ["a", "b"])
    >>> result.points.shape, round(result.explained[0], 2)
    (torch.Size([2, 2]), 1.0)
    """

    points: Float[Tensor, "occurrence 2"]
    explained: tuple[float, float]


def analogy(vectors: Vectors, a: str, b: str, c: str, top: int = 10) -> Analogy:
    """The words nearest to a - b + c:   king - man + woman -> queen

        argmax_w cos(w, a/|a| - b/|b| + c/|c|)                    (3CosAdd)
        argmax_w cos(w, a) cos(w, c) / (cos(w, b) + 0.001)        (3CosMul: each cosine as (cos + 1) / 2)

    Mikolov, Yih, Zweig, "Linguistic Regularities in Continuous Space Word Representations"
    (NAACL 2013), section 4; 3CosMul and both names: Levy and Goldberg (CoNLL 2014). Raises TextError for an
    unknown word.

    >>> from explorer.analysis.vectors import of
    >>> result = analogy(of(explorer.load("word2vec")), "king", "man", "woman")
    >>> [answer.word for answer in result.answers[:3]]
    ['queen', 'princess', 'prince']
    """
    at_least_one(top=top)
    unit_a, unit_b, unit_c = vectors.unit([a, b, c])
    target = unit_a - unit_b + unit_c
    cosines = vectors.cosines(target)
    query_ids = {vectors.id(word) for word in (a, b, c)}
    to_a, to_b, to_c = ((vectors.cosines(unit) + 1) / 2 for unit in (unit_a, unit_b, unit_c))
    by_product = ranked(vectors, to_a * to_c / (to_b + 0.001), 1, excluded=query_ids)
    return Analogy(
        a,
        b,
        c,
        target,
        answers=ranked(vectors, cosines, top, excluded=query_ids),
        everything=ranked(vectors, cosines, top, query_ids=query_ids),
        by_product=by_product[0].word if by_product else None,
        vectors=vectors,
    )


def along(
    vectors: Vectors, words: Sequence[str], start: str | Sequence[str], end: str | Sequence[str]
) -> Float[Tensor, "occurrence"]:
    """Positions of words on the axis from one word to another: -1 at `start`, 0 halfway, +1 at `end`.

        2 (w - m) · d / |d|²     d = end - start, m = (start + end) / 2, all of unit vectors

    An end may be several words, and is then their mean. Raises TextError for an unknown word, and if both
    ends are the same.

    >>> vectors = Vectors(["cold", "cool", "hot"], torch.tensor([[1.0, 0], [0.8, 0.6], [0, 1]]))
    >>> [round(place, 2) for place in along(vectors, vectors.words, "cold", "hot").tolist()]
    [-1.0, -0.2, 1.0]
    """
    low, high = (vectors.unit([p] if isinstance(p, str) else p).mean(0) for p in (start, end))
    direction = high - low
    if float(direction.norm()) < 1e-6:
        raise TextError(_("The axis begins and ends at the same place."), _("Choose two different words."))
    return 2 * (vectors.unit(words) - (low + high) / 2) @ direction / direction.square().sum()


def plane(vectors: Vectors, words: Sequence[str], *extra: Float[Tensor, "d_model"]) -> Plane:
    """Words, and vectors such as an analogy's target, on the plane of the words' largest variance.

    PCA of the words' unit vectors; the extra vectors go through the same linear map, so that the arrows of
    a - b + c close. (`projection.project` scales all to length 1, so that they might not.) Raises TextError
    for an unknown word.

    >>> vectors = Vectors(["a", "b", "c"], torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]]))
    >>> plane(vectors, ["a", "b", "c"]).points.shape
    torch.Size([3, 2])
    """
    unit = vectors.unit(words)
    middle = unit.mean(0)
    _, sizes, axes = torch.linalg.svd((unit - middle).double(), full_matrices=False)
    largest = axes.gather(1, axes.abs().argmax(1, keepdim=True))
    axes = (axes * torch.where(largest < 0, -1.0, 1.0))[:2]  # a sign is arbitrary: see projection
    points = unit.new_zeros(len(unit) + len(extra), 2)
    flat = (torch.stack([*unit, *extra]) - middle).double() @ axes.T
    points[:, : len(axes)] = flat.float()
    total = float(sizes.square().sum())
    shares = (sizes.square() / total).tolist() if total > 1e-12 * len(unit) else [0.0]
    first, second = [*shares, 0.0][:2]
    return Plane(points, (first, second))
