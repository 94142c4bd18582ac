"""The examples on the screen: a ready set, or the visitor's own, which are lines of text in a setting."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from explorer.files.lines import filled_lines
from explorer.views.finetuning.settings import MANY
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.finetuning.examples import Example
    from explorer.views.finetuning.case import Case

OWN = "own"
NOTE = "finetuning/note"  # session key: what is to be said of a table that was opened


@dataclass(frozen=True, eq=False)
class ExampleSet:
    """Some examples of a set, `OWN` for the visitor's."""

    name: str
    examples: "Sequence[Example]"

    @property
    def signature(self) -> str:
        """Tells these examples from others."""
        return sha256(repr(list(self.examples)).encode()).hexdigest()[:16]


def names(kind: str) -> dict[str, str]:
    """The sets of a task, with what each is called; the visitor's own come last."""
    from explorer.finetuning.library import COLLECTIONS

    return {one.name: one.title for one in COLLECTIONS if one.kind == kind} | {OWN: "My own"}


def offered(cases: "Iterable[Case]") -> dict[str, str]:
    """The sets of several cases, as `CASE/SET`, with what each is called."""
    return {
        f"{case.name}/{name}": f"My own {case.dots}" if name == OWN else title
        for case in cases
        for name, title in names(case.kind).items()
    }


def named(settings: Settings, cases: "Iterable[Case]", name: str) -> "tuple[Example, ...]":
    """The examples of a set that `offered` names. Raises TextError for lines that cannot be read."""
    place, _, name = name.partition("/")
    case = next(case for case in cases if case.name == place)
    return tuple(_of(settings, case, name))


def chosen(settings: Settings, case: "Case") -> ExampleSet:
    """What the settings of a view ask for. Raises TextError for lines that cannot be read."""
    from explorer.finetuning import sampling

    given, count = _all(settings, case), settings[MANY]
    return ExampleSet(settings[case.chosen_set], sampling.sample_by_class(given, count or len(given)))


def count(settings: Settings, case: "Case") -> int:
    """How many examples there are to choose from."""
    if settings[case.chosen_set] == OWN:
        return len(filled_lines(settings[case.own_lines]))
    return len(_all(settings, case))


def lines(settings: Settings, case: "Case") -> str:
    """The examples as they are typed, a line each."""
    from explorer.finetuning import parsing

    if settings[case.chosen_set] == OWN:
        return settings[case.own_lines]
    return parsing.format_lines(_all(settings, case))


def _all(settings: Settings, case: "Case") -> "Sequence[Example]":
    return _of(settings, case, settings[case.chosen_set])


def _of(settings: Settings, case: "Case", name: str) -> "Sequence[Example]":
    from explorer.finetuning import library, parsing

    if name == OWN:
        return parsing.parse_lines(case.kind, settings[case.own_lines]).examples
    return library.examples(name)
