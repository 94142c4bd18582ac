"""What a view of a head looks at: its examples, the head that speaks, and the training on the screen."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from explorer.views.finetuning import head_trainings, heads, sets
from explorer.views.finetuning.sets import ExampleSet
from explorer.views.finetuning.settings import BODY, SEED
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.finetuning.encoding import EncodedExample, Input
    from explorer.finetuning.features import Features
    from explorer.finetuning.task_head import TaskHead
    from explorer.finetuning.tasks import Task
    from explorer.models import LanguageModel
    from explorer.views.finetuning.case import Case


@dataclass(frozen=True, eq=False)
class Bench:
    """What is worked out once a rerun, when it is first asked for."""

    settings: Settings
    model: "LanguageModel"
    case: "Case"

    @cached_property
    def examples(self) -> ExampleSet:
        """What the head is trained on. Raises ExplorerError for examples that cannot be read."""
        return sets.chosen(self.settings, self.case)

    @cached_property
    def task(self) -> "Task":
        """The task that the examples are for. Raises ExplorerError for one class only, or two examples."""
        from explorer.finetuning import task_of
        from explorer.finetuning.examples import check

        task = task_of(self.examples.examples)
        check(task, self.examples.examples)
        return task

    @property
    def kind(self) -> str:
        """The engine's name for the task."""
        return self.case.kind

    @cached_property
    def classes(self) -> list[str]:
        """What has a colour of its own on the map: classes, or the names behind tags."""
        labels = self.task.labels if self.kind != "answers" else ("answer", "no answer")
        return list(dict.fromkeys(one[2:] if self.kind == "tags" else one for one in labels if one != "O"))

    @cached_property
    def asked(self) -> head_trainings.Asked:
        """What a training would be of, with the settings as they are."""
        settings = self.settings
        return head_trainings.Asked(
            str(self.model.checkpoint), self.kind, settings[BODY], settings[SEED], self.examples.signature
        )

    @cached_property
    def training(self) -> head_trainings.HeadTraining | None:
        """The training of just that, where the visitor has begun one."""
        return head_trainings.find(self.asked)

    @cached_property
    def speaker(self) -> heads.Speaker | None:
        """The head that answers, with where it comes from; None where there is none yet."""
        return heads.speaker(self)

    @property
    def head(self) -> "TaskHead | None":
        """The head that answers."""
        return self.speaker.head if self.speaker else None

    @property
    def tunes(self) -> bool:
        """Whether Train changes the layers too."""
        return bool(self.settings[BODY] != "frozen")

    @property
    def layers(self) -> int:
        """How many the body has."""
        return int(self.model.config.layers)

    @cached_property
    def features(self) -> "Features":
        """What a head that is trained now reads."""
        from explorer.finetuning.fit import default_features

        return default_features(self.model, self.settings[BODY])

    def read(self, typed: "Input") -> "EncodedExample":
        """How the body reads what was typed."""
        from explorer.finetuning.encoding import encode_example

        return encode_example(self.model, self.task, typed, self.features)

    @property
    def width(self) -> int:
        """How many numbers the head reads of a text, or of a token."""
        from explorer.finetuning.features import feature_width

        config = self.model.config
        return feature_width(config.d_model, config.layers + 1, self.features, self.task.whole_text)
