"""One vector a word: its neighbours, arithmetic with words, and axes from one word to another.

Everything is measured between directions: cos(u, v) = u · v / (|u| |v|), in the original space and
never on a picture of it.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from explorer.errors import AbilityError, TextError, at_least_one
from explorer.models.base import Model
from explorer.trace import Ability


@dataclass(frozen=True, eq=False)
class Vectors:
    """Words, most frequent first where the source says so, and a row of `matrix` for each.

    A word is found as it is written, else in lower case, else with a capital letter.
    """

    words: Sequence[str]
    matrix: Float[Tensor, "d_vocab d_model"]

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return self.find(word) is not None

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each word stands; of two rows with the same word the first."""
        return {word: i for i, word in reversed(list(enumerate(self.words)))}

    @cached_property
    def lengths(self) -> Float[Tensor, "d_vocab"]:
        """The length of every row, at least a hair above 0 so that one may divide by it."""
        # Kept instead of a second matrix of unit vectors: a large vocabulary fits in memory once.
        return self.matrix.norm(dim=-1).clamp_min(1e-12)

    def find(self, word: str) -> int | None:
        """The row of a word, or None where there is none."""
        word = word.strip()
        spellings = (word, word.lower(), word.capitalize())
        return next((self.places[s] for s in spellings if s in self.places), None)

    def id(self, word: str) -> int:
        """The row of a word. Raises TextError where it has no vector."""
        place = self.find(word)
        if place is None:
            raise TextError(*self._unknown(word))
        return place

    def unit(self, words: Sequence[str]) -> Float[Tensor, "occurrence d_model"]:
        """The vectors of some words, brought to length 1. Raises TextError for an unknown one."""
        ids = [self.id(word) for word in words]
        return self.matrix[ids] / self.lengths[ids, None]

    def cosines(self, direction: Float[Tensor, "d_model"]) -> Float[Tensor, "d_vocab"]:
        """The cosine of every word to a direction."""
        return self.matrix @ F.normalize(direction, dim=-1, eps=1e-12) / self.lengths

    def _unknown(self, word: str) -> tuple[str, str]:
        if not word.strip():
            return "There is no word.", "Type one."
        from difflib import get_close_matches

        close = get_close_matches(word.strip().lower(), self.words[:20_000], n=1, cutoff=0.7)
        hint = f"Did you mean “{close[0]}”?" if close else "Try a more common word, one at a time."
        return f"“{word.strip()}” is not among the {len(self):,} words that have a vector here.", hint


@dataclass(frozen=True, eq=False)
class Neighbour:
    """A word of a ranking. `asked` marks one of the words that the question was made of."""

    word: str
    id: int
    cosine: float
    rank: int
    asked: bool = False


@dataclass(frozen=True, eq=False)
class Analogy:
    """The words nearest to a - b + c.

    `answers` leaves out a, b and c, as the published figures do; `everything` does not, and
    then one of the three is usually the nearest. `target` is the sum itself, of unit vectors.
    """

    a: str
    b: str
    c: str
    target: Float[Tensor, "d_model"]
    answers: list[Neighbour]
    everything: list[Neighbour]


@dataclass(frozen=True, eq=False)
class Plane:
    """Points on the plane of largest variance, by a linear map: what adds up in space adds up here.

    `points` has a row for every word, then one for every extra vector. `explained` is the
    share of the words' variance along each axis.
    """

    points: Float[Tensor, "occurrence 2"]
    explained: tuple[float, float]


def of(model: Model) -> Vectors:
    """A model's vector for every word of its vocabulary, whatever the context.

    For a network with context this is its embedding, before the first layer and without position,
    of the tokens that are whole words. Raises AbilityError for a model without a table of tokens.

    >>> import explorer
    >>> vectors = of(explorer.load("word2vec"))
    >>> len(vectors) == len(vectors.matrix), "river" in vectors
    (True, True)
    """
    table = model.table
    if table is None:
        raise AbilityError(
            f"{model.checkpoint} has no table of one vector a word.", "Choose word2vec, BERT or GPT."
        )
    table, tokenizer = table.detach(), model.tokenizer
    readable = [tokenizer.readable(id) for id in range(min(tokenizer.size, len(table)))]
    if Ability.VECTORS in model.abilities:
        return Vectors(readable, table)
    space = " " if tokenizer.byte_level else ""  # byte pieces that begin a word carry the space before it
    whole = [i for i, t in enumerate(readable) if t.startswith(space) and t[len(space) :].isalpha()]
    return Vectors([readable[i].strip() for i in whole], table[whole].float().cpu())


def similarity(vectors: Vectors, first: str, second: str) -> float:
    """The cosine between two words, 1 for a word and itself. Raises TextError for an unknown one.

    >>> vectors = Vectors(["cool", "hot"], torch.tensor([[0.8, 0.6], [0, 1]]))
    >>> round(similarity(vectors, "cool", "hot"), 2)
    0.6
    """
    one, other = vectors.unit([first, second])
    return float(one @ other)


def similarities(vectors: Vectors, words: Sequence[str]) -> Float[Tensor, "occurrence occurrence"]:
    """The cosine between every two of some words. Raises TextError for an unknown one.

    >>> vectors = Vectors(["east", "north"], torch.tensor([[2.0, 0], [0, 1]]))
    >>> similarities(vectors, ["east", "north"]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    unit = vectors.unit(words)
    return unit @ unit.T


def nearest(
    vectors: Vectors, query: str | Float[Tensor, "d_model"], top: int = 10, leave_out: Sequence[str] = ()
) -> list[Neighbour]:
    """The words with the highest cosine to a word, itself left out, or to any direction.

    Of equals the more frequent comes first. Raises TextError for an unknown word.

    >>> vectors = Vectors(["cold", "cool", "hot"], torch.tensor([[1.0, 0], [0.8, 0.6], [0, 1]]))
    >>> [(n.word, round(n.cosine, 2)) for n in nearest(vectors, "hot")]
    [('cool', 0.6), ('cold', 0.0)]
    """
    at_least_one(top=top)
    skipped = {vectors.id(word) for word in leave_out}
    if isinstance(query, str):
        skipped.add(vectors.id(query))
        query = vectors.matrix[vectors.id(query)]
    return _ranked(vectors, vectors.cosines(query), top, left_out=skipped)


def nearest_to_each(vectors: Vectors, words: Sequence[str], top: int = 3) -> list[list[Neighbour]]:
    """For each of some words the words with the highest cosine, itself left out.

    One product of matrices: faster than `nearest` for many words. Raises TextError for an unknown one.

    >>> one = Vectors(["cat", "dog", "sky"], torch.tensor([[1.0, 0.1], [1.0, 0.2], [0.0, 1.0]]))
    >>> [[near.word for near in row] for row in nearest_to_each(one, ["cat", "sky"], top=1)]
    [['dog'], ['dog']]
    """
    at_least_one(top=top)
    if not words:
        return []
    cosines = vectors.unit(words) @ vectors.matrix.T / vectors.lengths
    best = cosines.topk(min(top + 1, len(vectors)), dim=1)
    found = []
    for word, ids, values in zip(words, best.indices.tolist(), best.values.tolist(), strict=True):
        own = vectors.words[vectors.id(word)]
        others = [(i, cosine) for i, cosine in zip(ids, values, strict=True) if vectors.words[i] != own]
        ranked = enumerate(others[:top], 1)
        found.append([Neighbour(vectors.words[i], i, cosine, rank) for rank, (i, cosine) in ranked])
    return found


def frequent(vectors: Vectors, count: int) -> list[str]:
    """The most frequent words of two letters or more, each once.

    >>> frequent(Vectors(["the", "a", "the", "of"], torch.eye(4)), 2)
    ['the', 'of']
    """
    at_least_one(count=count)
    return list(islice(dict.fromkeys(w for w in vectors.words if len(w) > 1 and w.isalpha()), count))


def analogy(vectors: Vectors, a: str, b: str, c: str, top: int = 10) -> Analogy:
    """Which words lie nearest to a - b + c?   king - man + woman -> queen

        argmax_w cos(w, a/|a| - b/|b| + c/|c|)      (3CosAdd)

    Mikolov, Yih, Zweig, "Linguistic Regularities in Continuous Space Word Representations"
    (NAACL 2013), section 4; named by Levy and Goldberg (CoNLL 2014). Raises TextError for an
    unknown word.

    >>> import explorer
    >>> found = analogy(of(explorer.load("word2vec")), "king", "man", "woman")
    >>> [answer.word for answer in found.answers[:3]]
    ['queen', 'princess', 'prince']
    """
    at_least_one(top=top)
    one, two, three = vectors.unit([a, b, c])
    target = one - two + three
    cosines = vectors.cosines(target)
    asked = {vectors.id(word) for word in (a, b, c)}
    return Analogy(
        a,
        b,
        c,
        target,
        answers=_ranked(vectors, cosines, top, left_out=asked),
        everything=_ranked(vectors, cosines, top, asked=asked),
    )


def along(
    vectors: Vectors, words: Sequence[str], start: str | Sequence[str], end: str | Sequence[str]
) -> Float[Tensor, "occurrence"]:
    """Where words lie on the line from one word to another: -1 at `start`, 0 between, +1 at `end`.

        2 (w - m) · d / |d|²     d = end - start, m = (start + end) / 2, all of unit vectors

    An end may be several words, whose mean counts. Raises TextError for an unknown word, and
    where both ends are the same.

    >>> vectors = Vectors(["cold", "cool", "hot"], torch.tensor([[1.0, 0], [0.8, 0.6], [0, 1]]))
    >>> [round(place, 2) for place in along(vectors, vectors.words, "cold", "hot").tolist()]
    [-1.0, -0.2, 1.0]
    """
    low, high = (vectors.unit([p] if isinstance(p, str) else p).mean(0) for p in (start, end))
    direction = high - low
    if float(direction.norm()) < 1e-6:
        raise TextError("The axis begins and ends at the same place.", "Choose two different words.")
    return 2 * (vectors.unit(words) - (low + high) / 2) @ direction / direction.square().sum()


def plane(vectors: Vectors, words: Sequence[str], *extra: Float[Tensor, "d_model"]) -> Plane:
    """Words, and vectors such as an analogy's target, on the plane where these words differ most.

    PCA of the words' unit vectors; the extra vectors go through the same linear map, so that the
    arrows of a - b + c close. (`projection.project` brings all to length 1, and cannot promise
    that.) Raises TextError for an unknown word.

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


def _ranked(
    vectors: Vectors,
    cosines: Float[Tensor, "d_vocab"],
    top: int,
    left_out: Set[int] = frozenset(),
    asked: Set[int] = frozenset(),
) -> list[Neighbour]:
    best = _highest(cosines, top + len(left_out))
    kept = [i for i in best.tolist() if i not in left_out][:top]
    return [
        Neighbour(vectors.words[i], i, float(cosines[i]), rank, i in asked) for rank, i in enumerate(kept, 1)
    ]


def _highest(values: Float[Tensor, "d_vocab"], count: int) -> Int[Tensor, "rank"]:
    """Where the highest values stand, in order; of equals the one that stands first."""
    count = min(count, len(values))
    if count == 0:
        return torch.zeros(0, dtype=torch.long)
    lowest = values.topk(count).values[-1]
    candidates = (values >= lowest).nonzero().flatten()
    order = values[candidates].sort(descending=True, stable=True).indices
    return candidates[order][:count]
