"""Record of a training: the model's predictions and figures at its milestones."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NAME = "training.json"


@dataclass
class Record:
    """Fixed sentences, points of training in order, the smoothed loss, and the facts of the run.

    `run` holds tokens, steps, seconds, machine, command and text of the last run; `before` those of the runs
    that it continued. `scores` are the figures of `evaluate`. `numbers` names the numbers beside the
    predictions: probability, cosine, or "replaced" (the probability that a token was replaced).
    """

    sentences: tuple[str, ...]
    points: list[dict[str, Any]] = field(default_factory=list)
    curve: dict[str, list[float]] = field(default_factory=lambda: {"tokens": [], "loss": []})
    run: dict[str, Any] = field(default_factory=dict)
    before: list[dict[str, Any]] = field(default_factory=list)
    scores: dict[str, Any] = field(default_factory=dict)
    numbers: str = "probability"

    @classmethod
    def read(cls, folder: Path) -> "Record":
        """Record in a checkpoint's folder."""
        stored = json.loads((folder / NAME).read_text(encoding="utf-8"))
        return cls(**(stored | {"sentences": tuple(stored["sentences"])}))

    def write(self, folder: Path) -> None:
        """Write the record into a checkpoint's folder."""
        text = json.dumps(vars(self), ensure_ascii=False, indent=1)
        (folder / NAME).write_text(text + "\n", encoding="utf-8")
