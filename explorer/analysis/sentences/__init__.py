"""Sentences as vectors: what one text has in common with another, whatever its words.

embedding     a text as one vector, pooled from its tokens, and what each token gives to it
vectors       many texts in one space, of counts of words or of a model; who is nearest to whom
"""

from explorer.analysis.sentences.embedding import TokenShares, embed, encode, pooling, prompts, token_shares
from explorer.analysis.sentences.vectors import SentenceVectors, read

__all__ = ["SentenceVectors", "TokenShares", "embed", "encode", "pooling", "prompts", "read", "token_shares"]
