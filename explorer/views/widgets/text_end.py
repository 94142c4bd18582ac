"""Invisible characters at the end of a prompt, which change how a model continues it."""

from explorer.catalogue.ability import Ability
from explorer.views.types import Model

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
