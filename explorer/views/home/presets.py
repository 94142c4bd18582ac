"""The start page: one sentence with a blank, and three more."""

from explorer.views.frame.page import Preset

DEFAULTS = {"text": "The bank lent us the [MASK] for a new house."}

PRESETS = [
    Preset("Money", "A bank that lends: the words around the blank say money.", {}),
    Preset(
        "River",
        "The same word, bank, among other words, and other guesses.",
        {"text": "We sat on the bank of the [MASK] and watched the boats."},
    ),
    Preset(
        "Grammar",
        "The dogs are several, so were is likelier than was, though one garden stands nearer.",
        {"text": "The dogs in the garden [MASK] very old."},
    ),
]
