"""The page about the models: it opens on what bert expected while it was trained; five presets.

`point` -1 is the end of the training; `word` "" traces the word that the training ends with.
"""

from explorer.views.frame.page import Preset

PRESETS = [
    Preset(
        "From nothing",
        "bert-mini started from random weights. First it expects the most frequent tokens everywhere, then "
        "nouns where a noun belongs; it hardly learns which noun.",
        {"model": "bert-mini"},
    ),
    Preset(
        "Before the first step",
        "The slider at its far left: what the model expected before it had read any of its training text.",
        {"point": 0},
    ),
    Preset(
        "Learning to write",
        "The same beginning, continued at several steps of the training, always with the same seed. Read "
        "from the top down.",
        {"model": "gpt", "view": "written"},
    ),
    Preset(
        "The loss",
        "Half of the fall in the loss comes early, within a small part of the text (where the loss was "
        "recorded from the start).",
        {"view": "loss"},
    ),
    Preset(
        "From GPT to GPT-3",
        "Each model is larger than the one before, and guesses more last words right without any example. "
        "Ours stand at the far left.",
        {"model": "gpt", "view": "scale"},
    ),
]
