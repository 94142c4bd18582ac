"""One word in many sentences: its occurrences, and whether their vectors tell its senses apart.

occurrences       where a word stands, and its vector there on every layer
pooling           which layer, or which mix of layers, is the vector
separation        three measures of how well known senses are kept apart
classify          nearest-centroid classification of one more occurrence
clusters          groups by k-means; keywords: words that set each group apart
contextuality     how much a vector depends on its sentence
topic             baselines that see the other words alone
duplicates        occurrences with the same vector
seriation         an order for the rows of a matrix
chinese           whether a model can read Chinese
chinese_words     our own sentences for ambiguous Chinese words
wordnet           the senses that WordNet lists for the words of our sentences
"""

from explorer.analysis.senses.occurrences import (
    Occurrences,
    Sentence,
    alone,
    by_itself,
    cosine_matrix,
    covering,
    find,
    library,
    library_words,
    occurrences,
    read_sentences,
    senses_of,
    spellings,
    spelt,
    write_sentences,
)

__all__ = [
    "Occurrences",
    "Sentence",
    "alone",
    "by_itself",
    "cosine_matrix",
    "covering",
    "find",
    "library",
    "library_words",
    "occurrences",
    "read_sentences",
    "senses_of",
    "spellings",
    "spelt",
    "write_sentences",
]
