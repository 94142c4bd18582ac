"""What a model's tokenizer could not read of a text, in a sentence."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.trace import Encoding


def passed_over(*encodings: "Encoding") -> str:
    """How many characters the vocabulary has no token for; nothing where it can spell them all."""
    count = sum(encoding.lost for encoding in encodings)
    if not count:
        return ""
    if count == 1:
        return "1 character was passed over: this model has no token for it."
    return f"{count:,} characters were passed over: this model has no token for them."
