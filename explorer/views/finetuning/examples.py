"""What “Show the code” prints on the page Fine-tuning: functions that are run as they are printed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.finetuning.encoding import Input
    from explorer.finetuning.predictions import Prediction
    from explorer.finetuning.progress import How
    from explorer.finetuning.tasks import Kind
    from explorer.models import LanguageModel


def train_on_ready(
    model: "LanguageModel", name: str, count: int, how: "How", seed: int, ask: "list[Input]"
) -> "list[Prediction]":
    """What a head says that was trained on some of the ready examples."""
    from explorer.finetuning import fit, library, sampling, task_of

    examples = sampling.sample_by_class(library.examples(name), count)
    run = fit(model, task_of(examples), examples, how=how, seed=seed)
    for _ in run:
        pass  # each moment tells its step, its loss, and its scores on the examples kept aside
    assert run.head is not None, "a training that came to its end has one"
    return run.head.predict(ask)


def train_on_typed(
    model: "LanguageModel", kind: "Kind", lines: str, how: "How", seed: int, ask: "list[Input]"
) -> "list[Prediction]":
    """What a head says that was trained on typed examples, one a line."""
    from explorer.finetuning import fit, parsing, task_of

    examples = parsing.parse_lines(kind, lines).examples
    run = fit(model, task_of(examples), examples, how=how, seed=seed)
    for _ in run:
        pass  # each moment tells its step, its loss, and its scores on the examples kept aside
    assert run.head is not None, "a training that came to its end has one"
    return run.head.predict(ask)
