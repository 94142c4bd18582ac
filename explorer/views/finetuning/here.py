"""A short training on frozen layers, made as the page looks: a process of its own takes longer to begin.

It answers to the same names as `explorer.finetuning.jobs.Job`.
"""

from time import perf_counter
from typing import TYPE_CHECKING

from explorer.errors import ExplorerError

if TYPE_CHECKING:
    from explorer.finetuning import MapPoint, Progress, TaskHead
    from explorer.finetuning.jobs import State
    from explorer.finetuning.training_specs import HeadSpec
    from explorer.models import LanguageModel

MOST_EXAMPLES = 250
MOST_SECONDS = 0.15  # between two answers to the page: others are served in between


class Here:
    """One training in the server itself. Raises ExplorerError for examples that cannot be learnt from."""

    place = 0

    def __init__(self, spec: "HeadSpec", model: "LanguageModel") -> None:
        from explorer.finetuning import fit

        self._fit = fit(model, spec.task, spec.examples, how=spec.how, seed=spec.seed)
        self.watched: list[MapPoint] = self._fit.watched
        self.records: list[Progress] = []
        self.state: State = "running"
        self.error: ExplorerError | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ("done", "stopped", "failed")

    def advance(self) -> None:
        """As many steps as fit between two answers to the page, and one at least."""
        began = perf_counter()
        first = True
        while not self.over and (first or perf_counter() - began < MOST_SECONDS):
            first = False
            try:
                self.records.append(next(self._fit))
            except ExplorerError as error:
                self.error, self.state = error, "failed"
                return
            if self.records[-1].stage == "done":
                self.state = "done"

    def stop(self) -> None:
        """End it here; the best head so far stays."""
        if not self.over:
            self._fit.close()
            self.state = "stopped"

    def head(self, model: "LanguageModel") -> "TaskHead | None":
        """The best so far."""
        return self._fit.head
