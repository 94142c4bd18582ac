"""The four kinds of task in BERT's paper, and their examples: ready sets, or the visitor's own lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.files.lines import filled_lines
from explorer.locale import N_, _, translate
from explorer.views.finetuning.settings import (
    ANSWERS_OWN,
    ANSWERS_SET,
    MANY,
    PAIRS_OWN,
    PAIRS_SET,
    SENTENCE_OWN,
    SENTENCE_SET,
    WORDS_OWN,
    WORDS_SET,
)
from explorer.views.settings.setting import Setting
from explorer.views.settings.settings import Settings

if TYPE_CHECKING:
    from explorer.finetuning.examples import Example
    from explorer.finetuning.tasks import Kind

OWN = "own"


@dataclass(frozen=True, eq=False)
class TaskSpec:
    """A kind of task. `kind` is its name in `explorer.finetuning`, `name` that of its view in links."""

    kind: "Kind"
    name: str
    label: str
    items: str  # what a dot on the map is, in the plural
    chosen_set: Setting[str]  # the examples: a ready set's name, or `sets.OWN`
    own_lines: Setting[str]  # the visitor's own examples, as lines of text
    map_px: int = 150  # height of the map
    wide: bool = False  # whether the predictions take the whole width of the page


SENTENCES = TaskSpec("classes", "sentence", N_("One sentence"), N_("sentences"), SENTENCE_SET, SENTENCE_OWN)
WORDS = TaskSpec("tags", "words", N_("Every word"), N_("words"), WORDS_SET, WORDS_OWN, 150, wide=True)
PAIRS = TaskSpec("pairs", "pairs", N_("Two sentences"), N_("pairs"), PAIRS_SET, PAIRS_OWN)
ANSWERS = TaskSpec(
    "answers",
    "answers",
    N_("An answer in the text"),
    N_("questions"),
    ANSWERS_SET,
    ANSWERS_OWN,
    84,
    wide=True,
)


def titles(kind: str) -> dict[str, str]:
    """The sets for a kind of task with their titles on screen, the visitor's own last."""
    from explorer.finetuning.library import COLLECTIONS

    ready = {collection.name: collection.title for collection in COLLECTIONS if collection.kind == kind}
    return translate(ready) | {OWN: _("My own")}


def titles_by_path(specs: Sequence[TaskSpec]) -> dict[str, str]:
    """The sets for several tasks, as `TASK/SET`, with their titles on screen."""
    return {
        f"{spec.name}/{name}": _("My own {items}", items=_(spec.items)) if name == OWN else title
        for spec in specs
        for name, title in titles(spec.kind).items()
    }


def split_path(specs: Sequence[TaskSpec], path: str) -> tuple[TaskSpec, str]:
    """The task and the name of the set that a `TASK/SET` stands for."""
    task, __, name = path.partition("/")
    return next(spec for spec in specs if spec.name == task), name


def examples(settings: Settings, spec: TaskSpec, name: str) -> "tuple[Example, ...]":
    """All examples of a set. Raises TextError for lines that cannot be read."""
    from explorer.finetuning import library, parsing

    if name == OWN:
        return parsing.parse_lines(spec.kind, settings[spec.own_lines], has_names=False).examples
    return library.examples(name)


def sample(settings: Settings, spec: TaskSpec) -> "tuple[Example, ...]":
    """As many examples of the chosen set as the settings say. Raises TextError."""
    from explorer.finetuning import sampling

    every = examples(settings, spec, settings[spec.chosen_set])
    return tuple(sampling.sample_by_class(every, settings[MANY] or len(every)))


def count(settings: Settings, spec: TaskSpec) -> int:
    """The size of the chosen set; lines that cannot be read count too."""
    if settings[spec.chosen_set] == OWN:
        return len(filled_lines(settings[spec.own_lines]))
    return len(examples(settings, spec, settings[spec.chosen_set]))


def lines(settings: Settings, spec: TaskSpec) -> str:
    """The chosen set as lines of text that can be edited."""
    from explorer.finetuning import parsing

    if settings[spec.chosen_set] == OWN:
        return settings[spec.own_lines]
    return parsing.format_lines(examples(settings, spec, settings[spec.chosen_set]))


def code_arguments(name: str, every: "Sequence[Example]") -> dict[str, Any]:
    """How “Show the code” names a set: by its name, or by its lines if it is the visitor's own."""
    from explorer.finetuning import parsing

    return {"name": "", "lines": parsing.format_lines(every)} if name == OWN else {"name": name, "lines": ""}
