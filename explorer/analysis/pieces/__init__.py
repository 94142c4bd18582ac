"""A text in pieces: how a tokenizer cuts it, and how the pieces of a vocabulary are learnt, merge by merge.

cutting    where each piece stands in a text
learning   the merges of byte-pair encoding and of WordPiece
corpus     a text as symbols that can be merged
"""

from explorer.analysis.pieces.cutting import Cut, Piece, cut
from explorer.analysis.pieces.learning import Learning, Merge, byte_pairs, follow, merges_of, word_pieces

__all__ = ["Cut", "Learning", "Merge", "Piece", "byte_pairs", "cut", "follow", "merges_of", "word_pieces"]
