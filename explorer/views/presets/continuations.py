"""How the continuations page opens, and its three examples.

`top_k` 0 and `top_p` 1.0 mean that nothing is cut; `token` -1 follows the newest token.
"""

from explorer.views.frame import Preset

DEFAULTS = {
    "model": "gpt",
    "text": "Once upon a time there was a little girl",
    "temperature": 0.7,
    "top_k": 0,
    "top_p": 1.0,
    "seed": 0,
    "length": 40,
    "token": -1,
}

PRESETS = [
    Preset(
        "Always the best",
        "Temperature 0 takes the most probable token every time, and soon the text goes round in circles.",
        {"temperature": 0.0, "length": 60},
    ),
    Preset(
        "Too hot",
        "At temperature 1.5 the same model picks from far down its list: paler tokens, and nonsense.",
        {"temperature": 1.5, "length": 60},
    ),
    Preset(
        "Hot, but top-k 1",
        "Still 1.5, but only one candidate is left: the rest is cut, and it is the circling text again.",
        {"temperature": 1.5, "top_k": 1, "length": 60},
    ),
]
