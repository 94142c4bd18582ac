"""What the code under the page's pictures shows: functions that are run as they are printed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.finetuning.predictions import Prediction
    from explorer.models import LanguageModel


def train_and_ask(
    model: "LanguageModel", kind: str, lines: str, how: str, seed: int, ask: Sequence[Any]
) -> "list[Prediction]":
    """Train a head on typed examples, a line each, and ask it."""
    from explorer.finetuning import fit, task_of
    from explorer.finetuning.tables import typed

    examples = typed(kind, lines).examples
    run = fit(model, task_of(examples), examples, how=how, seed=seed)
    for progress in run:
        print(progress.stage, progress.step, progress.loss, progress.scores)
    return run.head.predict(ask)
