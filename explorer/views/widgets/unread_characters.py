"""Notices about the parts of a text that are not shown: unreadable characters, and the end."""

from explorer.views.types import Encoding


def unread_characters(*encodings: "Encoding") -> str:
    """A notice of how many characters have no token; empty if all have."""
    count = sum(encoding.dropped_characters for encoding in encodings)
    if not count:
        return ""
    if count == 1:
        return "1 character was skipped, because this model has no token for it."
    return f"{count:,} characters were skipped, because this model has no token for them."


def unread(encoding: "Encoding") -> str:
    """A notice of how many tokens were cut off, and of characters without a token; empty if all is shown."""
    more = "1 more is" if encoding.truncated == 1 else f"{encoding.truncated:,} more are"
    cut = f"Cut at {len(encoding)} tokens. {more} not shown." if encoding.truncated else ""
    return " ".join(filter(None, [cut, unread_characters(encoding)]))
