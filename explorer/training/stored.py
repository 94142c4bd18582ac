"""Store the example that the start page paints at once: `python -m explorer.training.stored`.

Run it after a bundled checkpoint has changed; a test compares the file with the live model.
"""

import json
from typing import Any

import explorer
from explorer.analysis import prediction
from explorer.assets import TEXTS

FILE = TEXTS / "home.json"
TEXT = "The bank lent us the [MASK] for a new house."
ROWS = 6


def example() -> dict[str, Any]:
    """The bundled BERT's first guesses for the blank, as the start page shows them."""
    model = explorer.load("bert")
    guesses = prediction.top(model, prediction.blanks(model, TEXT), 0, ROWS)
    rows = [{"token": c.token, "probability": round(c.probability, 4), "rank": c.rank} for c in guesses]
    return {"model": "bert", "text": TEXT, "rows": rows}


if __name__ == "__main__":
    FILE.write_text(json.dumps(example(), indent=2) + "\n", encoding="utf-8")
