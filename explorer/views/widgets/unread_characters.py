"""Notices about what of a text is not seen: unreadable characters, a cut, a space or line end at the end."""

from explorer.catalogue.ability import Ability
from explorer.views.types import Encoding, Model

SPACE = "a space, which is a token of its own"
LINE_END = "a line end, which is a token of its own"
SEVERAL = "spaces or line ends, which are tokens as well"


def unseen_end(model: "Model", text: str) -> str:
    """A note on a space or a line end after the last word; nothing where the model does not go on from it."""
    bare = text.rstrip()
    if not bare or bare == text or Ability.GENERATE not in model.abilities:
        return ""
    with_end, without = (model.tokenizer.encode(one).ids.tolist() for one in (text, bare))
    if with_end == without:
        return ""
    end = {" ": SPACE, "\n": LINE_END}.get(text[len(bare) :], SEVERAL)
    return f"The text ends in {end}, and the next words depend on it. Delete it if you did not mean it."


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
