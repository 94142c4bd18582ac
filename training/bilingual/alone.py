"""Store the accuracy of models of one language on the transfer from English to Chinese.

    python -m training.bilingual.alone

Run it after the weights of one of them, or the sentences, have changed; a test recomputes a part.
"""

import json

import explorer
from explorer.finetuning import transfer
from explorer.models.base import Model
from training.metrics import zero_shot

DIGITS = 4


def shares(model: Model, task: str) -> dict[str, list[float]]:
    """Accuracy on Chinese sentences at each layer, by how the vectors are taken."""
    return {
        vectors: [round(layer.accuracy, DIGITS) for layer in layers]
        for vectors, layers in zero_shot.transfer_by_layer(model, task).items()
    }


def main() -> None:
    """Measure both models on every task, and write the file."""
    accuracies = {
        name: {task: shares(explorer.load(name), task) for task in (*transfer.TASKS, transfer.WORD)}
        for name in transfer.ALONE
    }
    transfer.FILE_ALONE.write_text(json.dumps(accuracies, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
