"""One word in many sentences: its occurrences, and whether their vectors tell its senses apart.

occurrences       where a word stands, and its vector there on every layer
pooling           which layer, or which mix of layers, is the vector
separation        three judges of how far known senses part
classify          the nearest sense of one more occurrence
clusters          groups that nobody has named; keywords: names for them
contextuality     how much a vector depends on its sentence
topic             readers who see the other words alone
duplicates, seriation, chinese    what maps and matrices need to know
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
    spelt,
    whole,
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
    "spelt",
    "whole",
    "write_sentences",
]
