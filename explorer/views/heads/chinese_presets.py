"""Chinese presets for the heads page. They only ask a question, since the model is small."""

from explorer.views.frame.page import Preset

BRIDGE = "車在橋邊等，可是橋太低，車過不去。"

KINDS = [
    Preset(
        "A bridge and a car",
        "車, car, and 橋, bridge, stand twice each. Which heads look from the second to the first? Chinese "
        "grammar is not measured: our parsed sentences are English.",
        {"of": "live", "what": "repeat", "text": BRIDGE, "arcs": [[8, 2], [12, 0]], "blank": 8},
        "zh",
    ),
]
OFF = [
    Preset(
        "The measure word of books",
        "A book is 一本書, word for word “one root book”. Which heads have to be off before 本 is no longer "
        "expected?",
        {"view": "off", "text": "桌上有一本書。", "blank": 4, "off": [], "arcs": []},
        "zh",
    ),
]
