"""The presets of “Real or replaced?”; each makes one point."""

from explorer.views.frame.presets import Preset

TEA = "She drank a cup of hot tea in the kitchen."

PRESETS = [
    Preset(
        "Which is it?",
        "One word was replaced by hand. The class names its suspect and presses Reveal. Does the network "
        "find it too?",
        {},
    ),
    Preset(
        "The generator’s words",
        "Here a small network has put in words that fit, as in ELECTRA’s training. They are much harder to "
        "find.",
        {"who": "generator"},
    ),
    Preset(
        "Every token teaches",
        "From one sentence, the masked-word objective learns at a few tokens, and ELECTRA’s at every one.",
        {"who": "generator", "shown": True},
    ),
    Preset(
        "A cup of sand",
        "“Sand” in place of “tea”: the right kind of word with the wrong meaning. Does it notice? Ours has "
        "read little, and seldom does.",
        {"shown": True, "read": TEA, "own": [[6, "sand"]], "place": 6, "typed": "sand"},
    ),
]
PRESETS = [Preset(preset.label, preset.point, {"view": "replaced", **preset.values}) for preset in PRESETS]
