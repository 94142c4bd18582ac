"""What of a text is not shown: what a model's tokenizer could not read, and what was cut off."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.trace import Encoding


def passed_over(*encodings: "Encoding") -> str:
    """How many characters the vocabulary has no token for; nothing where it can spell them all."""
    count = sum(encoding.dropped_characters for encoding in encodings)
    if not count:
        return ""
    if count == 1:
        return "1 character was passed over: this model has no token for it."
    return f"{count:,} characters were passed over: this model has no token for them."


def unread(encoding: "Encoding") -> str:
    """How many tokens were left out at a text’s end, and what has no token; nothing where all is shown."""
    more = "1 more is" if encoding.truncated == 1 else f"{encoding.truncated:,} more are"
    cut = f"Cut at {len(encoding)} tokens; {more} not shown." if encoding.truncated else ""
    return " ".join(filter(None, [cut, passed_over(encoding)]))
