"""What “Show the code” prints for a task head."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.finetuning.encoding import Input
    from explorer.finetuning.predictions import Prediction
    from explorer.finetuning.progress import How
    from explorer.finetuning.tasks import Kind
    from explorer.models import LanguageModel


def train_and_predict(
    model: "LanguageModel",
    kind: "Kind",
    name: str,
    lines: str,
    count: int,
    how: "How",
    seed: int,
    inputs: "list[Input]",
) -> "list[Prediction]":
    """Predictions of a head that is trained on some of the lines, or else of the ready examples `name`."""
    from explorer.finetuning import fit, library, parsing, sampling, task_of

    every = parsing.parse_lines(kind, lines).examples if lines else library.examples(name)
    examples = sampling.sample_by_class(every, count)
    head = fit(model, task_of(examples), examples, how=how, seed=seed).finish()
    return head.predict(inputs)
