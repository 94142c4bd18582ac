"""Store what pages paint at once: `python -m training.stored`, some two minutes.

The start page's example, and how far back ELMo and GPT remember in 50 sentences. Run it after a bundled
checkpoint has changed; tests compare the files with the live models.
"""

import json
import math
from typing import Any

import explorer
from explorer.analysis import prediction
from explorer.analysis.reach import how_far
from explorer.assets import TEXTS
from explorer.models.base import Model

FILE = TEXTS / "home.json"
TEXT = "The bank lent us the [MASK] for a new house."
ROWS = 6
READERS = ("elmo", "gpt")
WALK = (
    "When the rain had stopped, the children ran down to the river and looked for the boat that their "
    "father had tied to the old tree."
)
DIGITS = 4


def example() -> dict[str, Any]:
    """The bundled BERT's first guesses for the blank, as the start page shows them."""
    model = explorer.load("bert")
    guesses = prediction.top(model, prediction.blanks(model, TEXT), 0, ROWS)
    rows = [{"token": c.token, "probability": round(c.probability, 4), "rank": c.rank} for c in guesses]
    return {"model": "bert", "text": TEXT, "rows": rows}


def moves(models: dict[str, Model], sentence: str) -> dict[str, list[float | None]]:
    """How far the readers' states move on one sentence, by places back; None where no word fitted."""
    return rounded(how_far.how_far_back(models, sentence))


def rounded(found: how_far.Moves) -> dict[str, list[float | None]]:
    """Moves as the file has them."""
    return {
        name: [None if math.isnan(move) else round(move, DIGITS) for move in found.relative(name).tolist()]
        for name in found.moves
    }


def walked(models: dict[str, Model]) -> dict[str, Any]:
    """The sentence that the view opens with."""
    found = how_far.how_far_back(models, WALK)
    return {"text": WALK, "watched": found.watched, "words": found.words, "moves": rounded(found)}


def how_far_back() -> dict[str, Any]:
    """The figures of all 50 sentences, a row each, and of the one that the view opens with."""
    models: dict[str, Model] = {name: explorer.load(name) for name in READERS}
    rows = [moves(models, sentence) for sentence in how_far.sentences()]
    return {"moves": {name: [row[name] for row in rows] for name in READERS}, "opening": walked(models)}


if __name__ == "__main__":
    FILE.write_text(json.dumps(example(), indent=2) + "\n", encoding="utf-8")
    how_far.STORED.write_text(json.dumps(how_far_back()) + "\n", encoding="utf-8")
