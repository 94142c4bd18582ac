"""Attention: the weights of heads, between tokens and words, across layers and texts.

weights             the pattern of a head or a layer, with or without special tokens
word_attention      patterns between words instead of their pieces
inside_head         from two vectors to a score, a weight and what it carries
rollout, flow       through all layers
comparison          two patterns aligned by their common words
while_generating    what a model attended to when it chose each new token
"""

from explorer.analysis.attention.weights import HeadView, Patterns, head_view, patterns, without_special

__all__ = ["HeadView", "Patterns", "head_view", "patterns", "without_special"]
