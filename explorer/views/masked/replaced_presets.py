"""The presets of “Real or replaced?”; each makes one point."""

from explorer.views.frame.page import Preset

TEA = "She drank a cup of hot tea in the kitchen."
GARDEN = "The children played in the garden until dinner."

PRESETS = [
    Preset(
        "Which is it?",
        "The class reads a sentence in which a small network has replaced words, names its suspects, and "
        "presses Reveal.",
        {},
    ),
    Preset(
        "Every token teaches",
        "From one sentence the masked-word objective learns at a few tokens, ELECTRA’s at every one.",
        {"shown": True},
    ),
    Preset(
        "A word of the wrong kind",
        "Would in place of garden: no verb can stand there, and of all words it is suspected most.",
        {"who": "you", "read": GARDEN, "own": [[5, "would"]], "place": 5, "typed": "would"},
    ),
    Preset(
        "A cup of sand",
        "Sand in place of tea: the right kind of word, with the wrong meaning. Does it notice? Ours has read "
        "little, and seldom does.",
        {"who": "you", "read": TEA, "own": [[6, "sand"]], "place": 6, "typed": "sand"},
    ),
]
PRESETS = [Preset(preset.label, preset.point, {"view": "replaced", **preset.values}) for preset in PRESETS]
