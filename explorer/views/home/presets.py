"""The start page: one sentence with a blank, and three more."""

from explorer.views.frame.presets import Preset

PRESETS = [
    Preset("Money", "A bank that lends: the words around the blank suggest “money”.", {}),
    Preset(
        "River",
        "The same word, “bank”, among other words: the guesses change.",
        {"text": "We sat on the bank of the [MASK] and watched the boats."},
    ),
    Preset(
        "Grammar",
        "There are several dogs, so “were” is more probable than “was”, although “garden” is nearer.",
        {"text": "The dogs in the garden [MASK] very old."},
    ),
]
