"""How each bundled model was trained, one file a model; `loop` trains them all.

The files keep what decides what a model learns: text, rows, loss, schedule, optimiser. What only made a run
faster, or let it resume, has left them: the bundled weights are not trained again. The history has it.
"""

from dataclasses import dataclass
from pathlib import Path

from explorer import load
from explorer.models.language_model import LanguageModel
from training.text import Corpus


@dataclass(frozen=True)
class Sources:
    """What the command gives to a recipe: files of text, sentence pairs, a checkpoint to start from."""

    text: tuple[Path, ...]
    pairs: Path | None = None
    start: Path | None = None
    rate: float = 1.0

    @property
    def corpus(self) -> Corpus:
        """The text. Raises NotFoundError."""
        return Corpus.open(*self.text)

    @property
    def model(self) -> LanguageModel | None:
        """The checkpoint to start from."""
        return load(f"folder:{self.start}") if self.start else None
