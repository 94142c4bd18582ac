"""Notices about what of a text is not seen: unreadable characters, a cut, a space or line end at the end."""

from explorer.catalogue.ability import Ability
from explorer.locale import N_, _, format_number, ngettext
from explorer.views.types import Encoding, Model

SPACE = N_(
    "The text ends in a space, which is a token of its own, and the next words depend on it. "
    "Delete it if you did not mean it."
)
LINE_END = N_(
    "The text ends in a line end, which is a token of its own, and the next words depend on it. "
    "Delete it if you did not mean it."
)
SEVERAL = N_(
    "The text ends in spaces or line ends, which are tokens as well, and the next words depend on it. "
    "Delete it if you did not mean it."
)


def unseen_end(model: "Model", text: str) -> str:
    """A note on a space or a line end after the last word; nothing where the model does not go on from it."""
    bare = text.rstrip()
    if not bare or bare == text or Ability.GENERATE not in model.abilities:
        return ""
    with_end, without = (model.tokenizer.encode(one).ids.tolist() for one in (text, bare))
    if with_end == without:
        return ""
    return _({" ": SPACE, "\n": LINE_END}.get(text[len(bare) :], SEVERAL))


def unread_characters(*encodings: "Encoding") -> str:
    """A notice of how many characters have no token; empty if all have."""
    count = sum(encoding.dropped_characters for encoding in encodings)
    if not count:
        return ""
    return ngettext(
        "{number} character was skipped, because this model has no token for it.",
        "{number} characters were skipped, because this model has no token for them.",
        count,
        number=format_number(count),
    )


def unread(encoding: "Encoding") -> str:
    """A notice of how many tokens were cut off, and of characters without a token; empty if all is shown."""
    cut = ngettext(
        "Cut at {tokens} tokens. {number} more is not shown.",
        "Cut at {tokens} tokens. {number} more are not shown.",
        encoding.truncated,
        tokens=len(encoding),
        number=format_number(encoding.truncated),
    )
    return " ".join(filter(None, [cut if encoding.truncated else "", unread_characters(encoding)]))
