"""Store what pages show at once: `python -m measuring.stored`, some minutes.

This is the transfer from English to Chinese: the accuracy of models of one language, and the picture of the
one that reads both. Run it after a change of bert, bert-zh or bert-en-zh; a test compares it with the models.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

import explorer
from explorer.analysis.two_languages.zero_shot import ZeroShotResult, wilson
from explorer.finetuning import transfer
from explorer.models.base import Model

DIGITS = 4
AS_THEY_ARE, CENTRED = "as they are", "centred"  # centred: each language's mean vector is subtracted
VECTORS = (AS_THEY_ARE, CENTRED)
TASKS = (*transfer.TASKS, transfer.WORD)


def transfer_accuracies(model: Model, task: str) -> dict[str, list[float]]:
    """Accuracy on Chinese sentences at each layer, by how the vectors are taken."""
    return {
        vectors: [round(layer.accuracy, DIGITS) for layer in layers]
        for vectors, layers in transfer_by_layer(model, task).items()
    }


def transfer_by_layer(model: Model, task: str) -> dict[str, list[ZeroShotResult]]:
    """Results of a classifier on each layer, by how the vectors are taken. Raises TextError."""
    sentences = transfer.read(task)
    english, chinese = transfer.both_vectors(model, sentences)
    return {
        name: transfer.classify_by_layer(sentences, english, chinese, name == CENTRED) for name in VECTORS
    }


def transfers() -> dict[str, Any]:
    """Transfer accuracies of the models of one language on every task."""
    return {
        name: {task: transfer_accuracies(explorer.load(name), task) for task in TASKS}
        for name in transfer.ALONE
    }


def pictures(model: Model) -> dict[str, Any]:
    """Lines and levels by task and by how the vectors are taken, for the view “Another language”.

    A line has a share for each layer, the first of them with its 95 % interval too.
    """
    return {task: zero_shot(model, task) for task in TASKS} | {transfer.PAIRS: translations(model)}


def zero_shot(model: Model, task: str) -> dict[str, Any]:
    """The picture of a task: accuracy in Chinese and in English, beside what needs no second language."""
    sentences, content = transfer.read(task), {}
    for vectors, layers in transfer_by_layer(model, task).items():
        alone = transfer.monolingual_accuracy(task, vectors == CENTRED)
        levels = {"chance": 1 / len(sentences.labels), "one language": max(map(max, alone.values()))}
        if any(sentences.shared):
            levels["shared tokens"] = transfer.shared_tokens_accuracy(sentences)
        chinese = line("Chinese", [layer.accuracy for layer in layers], len(sentences.chinese))
        english = {"name": "English", "values": [round(layer.home, DIGITS) for layer in layers], "ends": []}
        content[vectors] = {"lines": [chinese, english], "levels": rounded(levels)}
    return content


def translations(model: Model) -> dict[str, Any]:
    """The picture of the translations that are found among all."""
    count = len(transfer.pairs())
    content = {}
    for vectors in VECTORS:
        there, back = transfer.translations_found(model, vectors == CENTRED)
        lines = [line("from English", there, count), line("from Chinese", back, count)]
        content[vectors] = {"lines": lines, "levels": rounded({"chance": 1 / count})}
    return content


def line(name: str, shares: Sequence[float], of: int) -> dict[str, Any]:
    """Shares of so many sentences, each with its interval."""
    ends = [wilson(round(share * of), of) for share in shares]
    pairs = [[round(low, DIGITS), round(high, DIGITS)] for low, high in ends]
    return {"name": name, "values": [round(share, DIGITS) for share in shares], "ends": pairs}


def rounded(levels: Mapping[str, float]) -> list[dict[str, Any]]:
    """Shares that no layer changes."""
    return [{"name": name, "value": round(value, DIGITS)} for name, value in levels.items()]


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m measuring.stored", description=__doc__).parse_args()
    transfer.FILE_ALONE.write_text(json.dumps(transfers(), indent=1) + "\n", encoding="utf-8")
    picture = json.dumps(pictures(explorer.load(transfer.BOTH)), indent=1)
    transfer.FILE_BY_LAYER.write_text(picture + "\n", encoding="utf-8")
