"""The page about the models: it opens on what bert expected while it learnt, and four other looks.

`point` -1 is the end of the training; `word` "" traces the word that the training ends with.
"""

from explorer.views.frame.page import Preset

DEFAULTS = {"model": "bert", "view": "predicted", "sentence": 0, "point": -1, "word": ""}

PRESETS = [
    Preset(
        "From nothing",
        "bert-mini began at zero: first the most frequent tokens, then nouns where a noun belongs; which "
        "noun, it hardly learns.",
        {"model": "bert-mini"},
    ),
    Preset(
        "Before the first step",
        "The slider at the very left: what the model expected when it had read nothing of its text.",
        {"point": 0},
    ),
    Preset(
        "Learning to write",
        "One beginning, continued at each point with the same seed; read the lines from the top.",
        {"model": "gpt", "view": "written"},
    ),
    Preset(
        "The loss",
        "Where it is known from the start, half of its fall comes early, in a small part of the text.",
        {"view": "loss"},
    ),
]
