"""Static word vectors: neighbours, analogies, axes; and word2vec trained step by step.

table         of(model) -> Vectors: each word of a vocabulary with its vector; the frequent ones
words         similarity of two words, and nearest neighbours
arithmetic    analogies, axes from one word to another, a plane that preserves sums
train         word2vec trained on a pasted text, step by step
cooccurrence  GloVe's co-occurrence counts, and ratios of probabilities
pieces        fastText's pieces of a word
"""

from explorer.analysis.vectors.arithmetic import Analogy, Plane, along, analogy, plane
from explorer.analysis.vectors.table import Vectors, frequent, of
from explorer.analysis.vectors.words import Neighbour, nearest, nearest_to_each, similarities, similarity

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
