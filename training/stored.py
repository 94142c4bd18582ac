"""Store what pages show at once: `python -m training.stored`, some two minutes.

These are the start page's example, and how far back ELMo and GPT remember in 50 sentences. Run it after a
change of bert, elmo or gpt; tests compare the files with the live models.
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
    """The bundled BERT's first guesses for the start page's blank."""
    model = explorer.load("bert")
    guesses = prediction.top(model, prediction.blanks(model, TEXT), 0, ROWS)
    rows = [{"token": c.token, "probability": round(c.probability, 4), "rank": c.rank} for c in guesses]
    return {"model": "bert", "text": TEXT, "rows": rows}


def moves(models: dict[str, Model], sentence: str) -> dict[str, list[float | None]]:
    """Distances that the models' states move on a sentence, by places back; None without a fitting word."""
    return rounded(how_far.how_far_back(models, sentence))


def rounded(result: how_far.Moves) -> dict[str, list[float | None]]:
    """Moves as stored in the file."""
    return {
        name: [None if math.isnan(move) else round(move, DIGITS) for move in result.relative(name).tolist()]
        for name in result.moves
    }


def walked(models: dict[str, Model]) -> dict[str, Any]:
    """Moves on the sentence that the view opens with."""
    result = how_far.how_far_back(models, WALK)
    return {"text": WALK, "watched": result.watched, "words": result.words, "moves": rounded(result)}


def how_far_back() -> dict[str, Any]:
    """Moves on all 50 sentences, and on the one that the view opens with."""
    models: dict[str, Model] = {name: explorer.load(name) for name in READERS}
    rows = [moves(models, sentence) for sentence in how_far.sentences()]
    return {"moves": {name: [row[name] for row in rows] for name in READERS}, "opening": walked(models)}


if __name__ == "__main__":
    FILE.write_text(json.dumps(example(), indent=2) + "\n", encoding="utf-8")
    how_far.STORED.write_text(json.dumps(how_far_back()) + "\n", encoding="utf-8")
