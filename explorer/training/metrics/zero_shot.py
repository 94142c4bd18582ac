"""Learnt in English, asked in Chinese: is what a classifier has learnt the same in both languages?"""

from collections.abc import Sequence

from explorer.analysis.two_languages.zero_shot import ZeroShotResult
from explorer.errors import AbilityError
from explorer.finetuning import transfer
from explorer.finetuning.transfer import Transfer
from explorer.models.base import Model
from explorer.models.language_model import LanguageModel
from explorer.training.metrics.figure import Figure
from explorer.training.metrics.inputs import Inputs

AS_THEY_ARE, CENTRED = "as they are", "centred"
VECTORS = {AS_THEY_ARE: "vectors as they are", CENTRED: "each language’s mean taken off"}
TASKS = (*transfer.TASKS, transfer.WORD)
BOTH = frozenset({"en", "zh"})


def asked(model: Model, task: str) -> dict[str, list[ZeroShotResult]]:
    """A classifier of each layer, by how the vectors are taken: as they are, or less each language's mean.

    Raises TextError for a task without sentences.
    """
    known = transfer.read(task)
    english, chinese = transfer.both_vectors(model, known)
    return {how: transfer.asked(known, english, chinese, how == CENTRED) for how in VECTORS}


def right_in_chinese(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """The shares of Chinese sentences that are right, task by task. Raises AbilityError for one language."""
    if not model.languages >= BOTH:
        raise AbilityError(f"{model.checkpoint} reads one language alone.")
    return [
        figure(transfer.read(task), how, layers)
        for task in TASKS
        for how, layers in asked(model, task).items()
    ]


def figure(known: Transfer, how: str, layers: Sequence[ZeroShotResult]) -> Figure:
    """The best layer of a task, beside chance and what needs no space in common."""
    shares = tuple(one.accuracy for one in layers)
    best = shares.index(max(shares))
    low, high = layers[best].interval
    alone = max(map(max, transfer.alone(known.task, how == CENTRED).values()))
    said = [
        f"{100 * low:.0f} to {100 * high:.0f} (95 %)",
        f"English kept aside: {100 * layers[best].home:.0f}",
        f"chance: {100 / len(known.labels):.0f}",
        f"models of one language, best layer: {100 * alone:.0f}",
    ]
    if any(known.shared):
        said.append(f"shared tokens alone: {100 * transfer.shared_alone(known):.0f}")
    return Figure(
        f"zero_shot_{known.task}{'_centred' if how == CENTRED else ''}",
        f"{known.task}, {VECTORS[how]}, layer {best}, the best",
        shares[best],
        len(known.chinese),
        "Chinese sentences",
        layers=shares,
        note="; ".join(said),
    )
