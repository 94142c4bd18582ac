"""One word in many sentences: its occurrences, and whether their vectors separate its senses.

occurrences       where a word occurs, and its vector there on every layer
separation        three measures of how well known senses are separated
classify          nearest-centroid classification of one more occurrence
clusters          groups by k-means
keywords          words that distinguish each group from the others
contextuality     how alike any two words are
topic             baselines that see only the other words
duplicates        occurrences with the same vector
seriation         an order for the rows of a matrix
chinese           whether a model can read Chinese
chinese_words     our own sentences for ambiguous Chinese words
wordnet           the senses that WordNet lists for the words of our sentences
"""

from explorer.analysis.senses.occurrences import (
    Occurrences,
    Sentence,
    cosine_matrix,
    find,
    isolated_vector,
    isolated_vectors,
    library,
    library_words,
    occurrences,
    read_sentences,
    senses_of,
    spellings,
    surface_forms,
    token_positions,
    write_sentences,
)

__all__ = [
    "Occurrences",
    "Sentence",
    "cosine_matrix",
    "find",
    "isolated_vector",
    "isolated_vectors",
    "library",
    "library_words",
    "occurrences",
    "read_sentences",
    "senses_of",
    "spellings",
    "surface_forms",
    "token_positions",
    "write_sentences",
]
