"""Chinese presets for the attention page. They only ask a question, since the model is small."""

from explorer.views.frame.presets import Preset

BRIDGE = "車在橋邊等，可是橋太低，車過不去。"
HEADS = [
    Preset(
        "A bridge and a car",
        "車, car, and 橋, bridge, stand twice each. Does any head look from the second to the first?",
        {"text": BRIDGE, "token": ["from", 13, "車"], "layer": 2, "head": 3},
        "zh",
    ),
]
COMPARE = [
    Preset(
        "A boat for a car",
        "The first 車, car, has become 船, boat. What does the second one look at now?",
        {
            "view": "compare",
            "text": BRIDGE,
            "compare_text": BRIDGE.replace("車", "船", 1),
            "layer": 2,
            "head": 3,
            "token": None,
        },
        "zh",
    ),
]
