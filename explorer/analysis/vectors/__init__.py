"""One vector a word: neighbours, analogies, axes; and word2vec in training, step by step.

words    of(model) -> Vectors; nearest, nearest_to_each, frequent, analogy, along, plane
train    word2vec trained on a pasted text, step by step
cooccurrence    what GloVe counts: how near words stand to each other, and the ratios
pieces   what fastText adds: the pieces of a word
"""

from explorer.analysis.vectors.words import (
    Analogy,
    Neighbour,
    Plane,
    Vectors,
    along,
    analogy,
    frequent,
    nearest,
    nearest_to_each,
    of,
    plane,
    similarities,
    similarity,
)

__all__ = [
    "Analogy",
    "Neighbour",
    "Plane",
    "Vectors",
    "along",
    "analogy",
    "frequent",
    "nearest",
    "nearest_to_each",
    "of",
    "plane",
    "similarities",
    "similarity",
]
