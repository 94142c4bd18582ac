"""How the pieces of a vocabulary are learnt from a text, merge by merge.

learning   the merges of byte-pair encoding and of WordPiece
corpus     a text as symbols that can be merged
"""

from explorer.analysis.pieces.learning import Learning, Merge, byte_pairs, merges_of, word_pieces

__all__ = ["Learning", "Merge", "byte_pairs", "merges_of", "word_pieces"]
