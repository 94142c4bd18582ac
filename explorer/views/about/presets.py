"""The page about the models: it opens on what GPT wrote while it was trained; five presets.

`point` -1 is the end of the training; `word` "" traces the word that the training ends with.
"""

from explorer.views.frame.presets import Preset

PRESETS = [
    Preset(
        "Learning to write",
        "The same beginning, continued at several steps of the training, always with the same seed. Read "
        "from the top down.",
        {},
    ),
    Preset(
        "From nothing",
        "BERT mini started from random weights. First it expects the most frequent tokens everywhere, then "
        "nouns where a noun belongs. It hardly learns which noun.",
        {"model": "bert-mini", "view": "predicted"},
    ),
    Preset(
        "Before the first step",
        "The slider at its far left: what the model expected before it had read any of its training text.",
        {"view": "predicted", "point": 0},
    ),
    Preset(
        "The loss",
        "Half of the fall in the loss comes early, within a small part of the text.",
        {"view": "curves"},
    ),
    Preset(
        "From GPT to GPT-3",
        "Each model is larger than the one before, and guesses more last words right without any example. "
        "Ours are at the far left.",
        {"model": "gpt", "view": "measured"},
    ),
]
