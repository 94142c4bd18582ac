"""The next tokens of many texts at once, over what is known of each: the fast path of writing.

step              one pass over the weights for all texts, with few and plain calls
cached_attention  each text's queries over its own keys and values
"""

from explorer.models.stepping.step import Addition, Step

__all__ = ["Addition", "Step"]
