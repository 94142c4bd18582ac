"""Store what pages show at once: `python -m training.stored`, some minutes.

These are the start page's example, and the accuracy of models of one language on the transfer from English
to Chinese. Run it after a change of bert or bert-zh; tests compare the files with the live models.
"""

import json
from typing import Any

import explorer
from explorer.analysis import prediction
from explorer.assets import TEXTS
from explorer.finetuning import transfer
from explorer.models.base import Model
from training.metrics.two_languages import TASKS, transfer_by_layer

FILE = TEXTS / "home.json"
TEXT = "The bank lent us the [MASK] for a new house."
ROWS = 6
DIGITS = 4


def example() -> dict[str, Any]:
    """The bundled BERT's first guesses for the start page's blank."""
    model = explorer.load("bert")
    guesses = prediction.top(model, prediction.blanks(model, TEXT), 0, ROWS)
    rows = [{"token": c.token, "probability": round(c.probability, 4), "rank": c.rank} for c in guesses]
    return {"model": "bert", "text": TEXT, "rows": rows}


def transfer_accuracies(model: Model, task: str) -> dict[str, list[float]]:
    """Accuracy on Chinese sentences at each layer, by how the vectors are taken."""
    return {
        vectors: [round(layer.accuracy, DIGITS) for layer in layers]
        for vectors, layers in transfer_by_layer(model, task).items()
    }


def transfers() -> dict[str, Any]:
    """Transfer accuracies of the models of one language on every task."""
    return {
        name: {task: transfer_accuracies(explorer.load(name), task) for task in TASKS}
        for name in transfer.ALONE
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(example(), indent=2) + "\n", encoding="utf-8")
    transfer.FILE_ALONE.write_text(json.dumps(transfers(), indent=1) + "\n", encoding="utf-8")
