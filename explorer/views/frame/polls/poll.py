"""What a view can ask a class, and what the model answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.room.questions import Question
from explorer.views.widgets.numbers import per_cent

LISTED = 3  # answers of the model that phones see


@dataclass(frozen=True)
class Poll:
    """A question to the class; `model` are the model's answers with their probabilities, the likeliest first.

    `truth` is the right answer where there is one, such as the word that stands in the text. `who` is the
    model's name.
    """

    question: Question
    model: Mapping[str, float] = field(default_factory=dict)
    truth: str = ""
    who: str = "The model"

    def reveal(self) -> str:
        """What a phone sees of the model's answer."""
        words = ", ".join(f"{word} {per_cent(share)}" for word, share in list(self.model.items())[:LISTED])
        parts = [f"{self.who}: {words}"] if words else []
        return ". ".join([*parts, *([f"In the text: {self.truth}"] if self.truth else [])])
