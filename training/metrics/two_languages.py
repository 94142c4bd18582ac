"""English and Chinese in one model: are translations near, and does a classifier of English read Chinese?"""

from collections.abc import Sequence

from explorer.analysis.two_languages.retrieval import accuracy
from explorer.analysis.two_languages.vectors import centre, means
from explorer.analysis.two_languages.zero_shot import ZeroShotResult
from explorer.errors import AbilityError, TextError
from explorer.finetuning import transfer
from explorer.finetuning.transfer import Transfer
from explorer.models.base import Model
from explorer.models.language_model import LanguageModel
from explorer.trace import Ability
from training.metrics.figure import Figure, Inputs
from training.sentence_pairs import HELD_OUT_CHINESE, Pair, split_chinese


def nearest_translations(model: LanguageModel, inputs: Inputs) -> list[Figure]:
    """Translation retrieval among the held-out pairs. Raises NotFoundError."""
    return retrieval(model, split_chinese(inputs.sentence_pairs(), HELD_OUT_CHINESE).held_out)


def retrieval(model: LanguageModel, pairs: Sequence[Pair]) -> list[Figure]:
    """Share of sentences whose nearest one in the other language is the translation, at the best layer.

    Near is the cosine between mean hidden states. The last figure is the mean of both directions after each
    language's mean vector is subtracted (Libovický, Rosa and Fraser 2020). Chance is 1 / pairs; ties count
    as wrong. Raises AbilityError for a model without hidden states, TextError without pairs.
    """
    model.require(Ability.CONTEXT, "find translations")
    if not pairs:
        raise TextError("There are no pairs to look among.", "Give a file with more of them.")
    one, other = (means(model, [pair[side] for pair in pairs]) for side in (0, 1))
    there, back = accuracy(one, other), accuracy(other, one)
    one, other = centre(one), centre(other)
    centred = (accuracy(one, other) + accuracy(other, one)) / 2
    best = int((there + back).argmax())
    rows = [
        ("retrieval_there", f"English to Chinese, layer {best}, the best", there[best], there),
        ("retrieval_back", f"Chinese to English, layer {best}, the best", back[best], back),
        ("retrieval_centred", "both ways, each language's mean taken off", centred.max(), centred),
    ]
    basis, chance = (len(pairs), "pairs kept aside"), f"chance: {100 / len(pairs):.1f}"
    return [
        Figure(key, label, float(value), *basis, layers=tuple(shares.tolist()), note=chance)
        for key, label, value, shares in rows
    ]


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
