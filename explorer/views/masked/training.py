"""How it was trained: BERT's two training tasks, one at a time."""

from collections.abc import Mapping

from explorer.views.frame.example import Example
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.masked import corruption, next_sentence, presets
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import TASK
from explorer.views.widgets.one_of import one_of

TASKS: Mapping[str, View[PageText]] = {"words": corruption.VIEW, "next": next_sentence.VIEW}


def ask(settings: Settings) -> None:
    """Draw the choice of the task, and the task's text boxes."""
    settings.restrict(TASK, TASKS)
    one_of(settings, TASK, "Task", {name: task.label for name, task in TASKS.items()})
    _task(settings).ask(settings)


def controls(page: OpenPage[PageText]) -> None:
    """Draw the task's controls."""
    _task(page.settings).controls(page)


def draw(page: OpenPage[PageText]) -> Saves:
    """Draw the task's picture."""
    return _task(page.settings).draw(page)


def reading(page: OpenPage[PageText]) -> Reading:
    """How to read the task's picture."""
    return _task(page.settings).reading(page)


def example(page: OpenPage[PageText]) -> Example:
    """The task's numbers from Python."""
    return _task(page.settings).example(page)


def _task(settings: Settings) -> View[PageText]:
    return TASKS[settings[TASK]]


VIEW = View(
    label="How it was trained",
    first=corruption.VIEW.first,
    settings=(TASK, *corruption.VIEW.settings, *next_sentence.VIEW.settings),
    needs=("FILL",),
    presets=presets.presets_for("training"),
    ask=ask,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
