"""One vector a word: neighbours, analogies, axes; and word2vec in training, step by step.

table    of(model) -> Vectors: each word of a vocabulary with its vector; the frequent ones
words    how near two words are, and which are nearest to one
arithmetic    analogies, axes from one word to another, the plane on which sums stay sums
train    word2vec trained on a pasted text, step by step
cooccurrence    what GloVe counts: how near words stand to each other, and the ratios
pieces   what fastText adds: the pieces of a word
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
