"""The start page: one sentence with a blank, and three more."""

from explorer.views.frame import Preset

DEFAULTS = {"text": "We sat on the bank of the [MASK] and watched the boats."}

PRESETS = [
    Preset("River", "Boats, and a bank to sit on: the words around the blank say river.", {}),
    Preset(
        "Money",
        "The same word, bank, among other words, and another guess.",
        {"text": "She paid the [MASK] at the bank."},
    ),
    Preset(
        "Grammar",
        "The dogs are several, so were is likelier than was, though one garden stands nearer.",
        {"text": "The dogs in the garden [MASK] very old."},
    ),
]
