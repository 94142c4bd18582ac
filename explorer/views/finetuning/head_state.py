"""What the views of a task head draw: values, computed once for each run of the page."""

from dataclasses import dataclass

from explorer.locale import N_
from explorer.views.finetuning import sets, trainings
from explorer.views.finetuning.sets import TaskSpec
from explorer.views.finetuning.settings import BODY, SEED
from explorer.views.finetuning.trainings import HeadTraining
from explorer.views.settings.settings import Settings
from explorer.views.types import Features, HeadSpec, LanguageModel, Task


@dataclass(frozen=True, eq=False)
class HeadState:
    """A task with its examples, and a training on them.

    `training_spec` is what Train starts, `training` this visitor's training of just that, `features` what
    its head reads, and `classes` are those with a mark on the map.
    """

    spec: TaskSpec
    model: "LanguageModel"
    task: "Task"
    classes: tuple[str, ...]
    features: "Features"
    training_spec: "HeadSpec"
    training: HeadTraining | None


def head_state(settings: Settings, model: "LanguageModel", spec: TaskSpec) -> HeadState:
    """The state for the present settings. Raises ExplorerError for examples that cannot be trained on."""
    from explorer.finetuning.training_specs import HeadSpec

    training_spec = HeadSpec(
        str(model.checkpoint),
        sets.sample(settings, spec),
        settings[SEED],
        trainings.threads(),
        how=settings[BODY],
    )
    training_spec.check()
    return HeadState(
        spec,
        model,
        training_spec.task,
        map_classes(training_spec.task),
        training_spec.features,
        training_spec,
        trainings.find_head(training_spec),
    )


def map_classes(task: "Task") -> tuple[str, ...]:
    """The classes that have a mark on the map: for tags the names behind them, without O."""
    if task.kind == "answers":
        return (N_("answer"), N_("no answer"))
    names = (label[2:] if task.kind == "tags" else label for label in task.labels if label != "O")
    return tuple(dict.fromkeys(names))
