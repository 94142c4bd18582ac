"""Examples of our own that ship, to train a head on: lines as `tables.typed` reads them."""

from functools import cache

from explorer import assets
from explorer.assets import FINETUNING
from explorer.errors import NotFoundError
from explorer.finetuning.examples import Example
from explorer.finetuning.tables import typed
from explorer.finetuning.tasks import Kind

# What each set is called, by its task and its file's name.
SETS: dict[Kind, dict[str, str]] = {
    "classes": {"films": "Films: liked or not", "messages": "Messages: spam or not"},
    "tags": {"home": "Requests at home: thing, room, time"},
    "pairs": {"follows": "Pairs: does it follow?"},
    "answers": {"passages": "Eight passages, 41 questions"},
}


@cache
def examples(name: str) -> tuple[Example, ...]:
    """The examples of a set. Raises NotFoundError for a name that is none.

    >>> len(examples("films")), examples("messages")[0].label
    (60, 'spam')
    """
    for kind, sets in SETS.items():
        if name in sets:
            return typed(kind, assets.text(FINETUNING / "examples" / f"{name}.txt")).examples
    known = ", ".join(name for sets in SETS.values() for name in sets)
    raise NotFoundError(f"There are no ready examples “{name:.40}”.", f"There are: {known}.")
