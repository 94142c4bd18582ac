"""Store what models of one language make of the test from English to Chinese, beside those of both.

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
    """Of each layer the share of Chinese sentences that are right, by how the vectors are taken."""
    found = zero_shot.asked(model, task)
    return {how: [round(one.accuracy, DIGITS) for one in layers] for how, layers in found.items()}


def main() -> None:
    """Measure both models on every task, and write the file."""
    found = {
        name: {task: shares(explorer.load(name), task) for task in (*transfer.TASKS, transfer.WORD)}
        for name in transfer.ALONE
    }
    transfer.FILE_ALONE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
