"""The functions that “Show the code” prints on the page Word vectors; each is complete in itself."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.analysis.projection.methods import Method as Projector
    from explorer.analysis.vectors.train import Method
    from explorer.models import Model


def nearest_words(model: "Model", word: str, top: int) -> list[tuple[str, float]]:
    """The words whose vectors are nearest to a word's, with their cosines."""
    from explorer.analysis import vectors

    return [(near.word, near.cosine) for near in vectors.nearest(vectors.of(model), word, top)]


def analogy(
    model: "Model", a: str, b: str, c: str, with_the_three: bool, top: int
) -> list[tuple[str, float]]:
    """The words nearest to a - b + c, with their cosines; `with_the_three` counts a, b and c too."""
    from explorer.analysis import vectors

    result = vectors.analogy(vectors.of(model), a, b, c, top)
    return [(near.word, near.cosine) for near in (result.everything if with_the_three else result.answers)]


def map_of_words(model: "Model", words: list[str] | int, method: "Projector") -> dict[str, list[float]]:
    """The place on a plane of each of these words, or of this many of the most frequent ones."""
    from explorer.analysis import projection, vectors

    embeddings = vectors.of(model)
    if isinstance(words, int):
        words = vectors.frequent(embeddings, words)
    places = projection.project(embeddings.unit(words), method).coordinates
    return dict(zip(words, places.tolist()))


def map_on_axes(
    model: "Model", words: list[str] | int, left: str, right: str, down: str, up: str
) -> dict[str, tuple[float, float]]:
    """Each word's place between left and right, and between down and up: -1 at the first, 1 at the second."""
    from explorer.analysis import vectors

    embeddings = vectors.of(model)
    if isinstance(words, int):
        words = vectors.frequent(embeddings, words)
    across = vectors.along(embeddings, words, left, right)
    upward = vectors.along(embeddings, words, down, up)
    return dict(zip(words, zip(across.tolist(), upward.tolist())))


def one_hot_and_dense(model: "Model", words: list[str]) -> dict[str, object]:
    """The place of each word's 1 in its one-hot vector, and the dense vectors with their cosines."""
    from explorer.analysis import vectors

    embeddings = vectors.of(model)
    return {
        "cells of a one-hot vector": len(embeddings),
        "place of the 1": {word: embeddings.id(word) + 1 for word in words},
        "dense": embeddings.unit(words).tolist(),
        "cosines": vectors.similarities(embeddings, words).tolist(),
    }


def train_word2vec(
    text: str,
    method: "Method",
    window: int,
    dimensions: int,
    negatives: int,
    epochs: int,
    rate: float,
    subsample: float,
    seed: int,
) -> dict[str, object]:
    """The loss every 100 steps, in nats, and the nearest words of the most frequent word at the end."""
    from explorer.analysis import vectors
    from explorer.analysis.vectors import train

    settings = train.Settings(method, window, dimensions, negatives, epochs, rate, subsample, seed=seed)
    training = train.train(text, settings)
    losses = [(progress.step, progress.loss) for progress in training]
    word = training.words[0]
    return {
        "losses": losses[99::100],
        f"nearest to {word}": [(near.word, near.cosine) for near in vectors.nearest(training.vectors, word)],
    }


def ratios(
    text: str, first: str, second: str, window: int, top: int
) -> list[tuple[str, float, float, float]]:
    """Words near either of two words: the probability near the first, near the second, and the ratio."""
    from explorer.analysis.vectors import cooccurrence

    rows = cooccurrence.ratios(cooccurrence.count(text, window), first, second, top)
    return [(row.word, row.first, row.second, row.ratio) for row in rows]


def word_pieces(model: "Model", word: str, top: int) -> dict[str, object]:
    """A word's pieces, and the words of a vocabulary that share most of them (number, cosine)."""
    from explorer.analysis import vectors
    from explorer.analysis.vectors import pieces

    relatives = pieces.relatives(word, vectors.of(model).words, top)
    return {
        "pieces": pieces.pieces(word),
        "words": [(relative.word, relative.shared, relative.cosine) for relative in relatives],
    }
