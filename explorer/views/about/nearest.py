"""What lay near: the record of word vectors, which has nearest words and their cosines."""

from dataclasses import replace

from explorer.views.about import expected
from explorer.views.about.choice import Training
from explorer.views.frame.hints import Hints
from explorer.views.frame.view import OpenPage, Reading


def reading(page: OpenPage[Training]) -> Reading:
    """How to read the table."""
    return Reading(
        "Each column shows the vectors at one step of their training, the latest on the right: the five "
        "words nearest to the chosen word then, with their cosines. One word is traced through all columns; "
        "point at another one or click it to trace that.",
        "A few words are an anecdote, not a measurement: the curves count thousands of questions.",
    )


VIEW = replace(
    expected.VIEW,
    label="What lay near",
    first=Hints(
        "Each column is a step of the training, with the words that lay nearest then.",
        "Press “Play the training”, then choose another word.",
    ),
    reading=reading,
)
