"""Transfer of a classifier from English sentences to Chinese ones."""

from collections.abc import Sequence

from explorer.analysis.two_languages.zero_shot import ZeroShotResult
from explorer.errors import AbilityError
from explorer.finetuning import transfer
from explorer.finetuning.transfer import Transfer
from explorer.models.base import Model
from explorer.models.language_model import LanguageModel
from training.metrics.figure import Figure, Inputs

AS_THEY_ARE, CENTRED = "as they are", "centred"
VECTORS = {AS_THEY_ARE: "vectors as they are", CENTRED: "each language’s mean taken off"}
TASKS = (*transfer.TASKS, transfer.WORD)
BOTH = frozenset({"en", "zh"})


def transfer_by_layer(model: Model, task: str) -> dict[str, list[ZeroShotResult]]:
    """Results of a classifier on each layer, with vectors as they are and with the mean subtracted.

    Raises TextError for a task without sentences.
    """
    sentences = transfer.read(task)
    english, chinese = transfer.both_vectors(model, sentences)
    return {
        name: transfer.classify_by_layer(sentences, english, chinese, name == CENTRED) for name in VECTORS
    }


def right_in_chinese(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Accuracy on Chinese sentences for each task. Raises AbilityError for a model of one language."""
    if not model.languages >= BOTH:
        raise AbilityError(f"{model.checkpoint} reads one language alone.")
    return [
        figure(transfer.read(task), name, layers)
        for task in TASKS
        for name, layers in transfer_by_layer(model, task).items()
    ]


def figure(sentences: Transfer, name: str, layers: Sequence[ZeroShotResult]) -> Figure:
    """Accuracy of a task's best layer, beside chance and models of one language."""
    shares = tuple(one.accuracy for one in layers)
    best = shares.index(max(shares))
    low, high = layers[best].interval
    alone = max(map(max, transfer.monolingual_accuracy(sentences.task, name == CENTRED).values()))
    notes = [
        f"{100 * low:.0f} to {100 * high:.0f} (95 %)",
        f"English kept aside: {100 * layers[best].home:.0f}",
        f"chance: {100 / len(sentences.labels):.0f}",
        f"models of one language, best layer: {100 * alone:.0f}",
    ]
    if any(sentences.shared):
        notes.append(f"shared tokens alone: {100 * transfer.shared_tokens_accuracy(sentences):.0f}")
    return Figure(
        f"zero_shot_{sentences.task}{'_centred' if name == CENTRED else ''}",
        f"{sentences.task}, {VECTORS[name]}, layer {best}, the best",
        shares[best],
        len(sentences.chinese),
        "Chinese sentences",
        layers=shares,
        note="; ".join(notes),
    )
