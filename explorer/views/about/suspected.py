"""What it suspected: the record of a discriminator, which has the tokens that it took for replaced."""

from dataclasses import replace

from explorer.views.about import expected
from explorer.views.about.choice import Training
from explorer.views.frame.hints import Hints
from explorer.views.frame.view import OpenPage, Reading


def reading(page: OpenPage[Training]) -> Reading:
    """How to read the table."""
    return Reading(
        "In each sentence one word was put in by us. Each column shows the model at one step of its "
        "training, the latest on the right: the five tokens that it found most probably replaced, with that "
        "probability. One token is traced through all columns; point at another one or click it to trace "
        "that.",
        "A few sentences are an anecdote, not a measurement: the curves count thousands of words.",
    )


VIEW = replace(
    expected.VIEW,
    label="What it suspected",
    first=Hints(
        "Each column is the model at another step of its training, with the five tokens it suspected most.",
        "Press “Play the training”, then choose another sentence.",
    ),
    reading=reading,
)
