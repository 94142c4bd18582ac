"""The examples on the screen: a ready set, or the visitor's own, which are lines of text in a setting."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.finetuning.examples import Example
    from explorer.views.finetuning.case import Case

OWN = "own"
NOTE = "finetuning/note"  # session key: what was said of a table that was opened


@dataclass(frozen=True, eq=False)
class Chosen:
    """Examples with what they are called; `typed` are a visitor's own lines."""

    name: str
    label: str
    examples: "Sequence[Example]"
    typed: str = ""

    @property
    def signature(self) -> str:
        """Tells these examples from others."""
        return sha256(repr(list(self.examples)).encode()).hexdigest()[:16]


def names(kind: str) -> dict[str, str]:
    """The sets of a task, with what each is called; the visitor's own come last."""
    return {name: label for name, (label, _) in _ready(kind).items()} | {OWN: "My own"}


def chosen(settings: Settings, case: "Case") -> Chosen:
    """What the settings of a view ask for. Raises TextError for lines that cannot be read."""
    from explorer.finetuning import tables, typed

    name, count = settings[f"{case.name}_set"], settings["many"]
    known = _ready(case.kind)
    if name in known:
        label, examples = known[name]
        return Chosen(name, label, typed.spread(examples, count or len(examples)))
    own = settings[f"{case.name}_own"]
    examples = tables.typed(case.kind, own).examples
    return Chosen(OWN, "My own", typed.spread(examples, count or len(examples)), own)


def count(settings: Settings, case: "Case") -> int:
    """How many examples there are to choose from."""
    known = _ready(case.kind)
    if (name := settings[f"{case.name}_set"]) in known:
        return len(known[name][1])
    return sum(bool(line.strip()) for line in settings[f"{case.name}_own"].splitlines())


def lines(settings: Settings, case: "Case") -> str:
    """The examples as they are typed, a line each."""
    from explorer.finetuning import typed

    known = _ready(case.kind)
    if (name := settings[f"{case.name}_set"]) in known:
        return typed.write(known[name][1])
    return str(settings[f"{case.name}_own"])


@cache
def _ready(kind: str) -> "dict[str, tuple[str, Sequence[Example]]]":
    """The sets that ship, of one task."""
    return {}
