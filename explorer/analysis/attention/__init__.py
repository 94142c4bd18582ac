"""What attention does: the weights of heads, between tokens and words, across layers and texts.

weights             a head's or a layer's pattern, with or without special tokens
word_attention      patterns between words instead of their pieces
inside_head         from two vectors to a score, a weight and what it carries
rollout, flow       through all layers
comparison          two patterns laid on common words
while_generating    what a model attended to when it chose each new token
"""

from explorer.analysis.attention.weights import (
    HeadView,
    Patterns,
    head_view,
    patterns,
    without_special,
)

__all__ = [
    "HeadView",
    "Patterns",
    "head_view",
    "patterns",
    "without_special",
]
