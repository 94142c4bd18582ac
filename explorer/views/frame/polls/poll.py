"""What a view can ask a class, and what the model answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.room.questions import Question


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
