"""Presets of Step by step, whose points are tested."""

from explorer.views.frame.presets import Preset

FERRY = "The old ferry left the harbour."
STEPS = [
    Preset(
        "The word before",
        "In every row nearly all the weight is on the word before, whatever the words.",
        {"view": "steps", "text": FERRY, "layer": 0, "head": 2, "step": "softmax", "way": "all"},
    ),
    Preset(
        "No looking ahead",
        "GPT masks later words before the softmax, so the upper right of the scores is empty.",
        {"view": "steps", "text": FERRY, "model": "gpt", "head": 0, "step": "mask", "way": "all"},
    ),
    Preset(
        "Few units at work",
        "For these words fewer than one hidden unit in five is above 0. The others add next to nothing.",
        {"view": "steps", "text": FERRY, "step": "up-projection", "way": "all"},
    ),
    Preset(
        "Nothing holds GPT back",
        "Pre-norm does not normalise the sum: at the end the vectors are over ten times as long as at the "
        "input.",
        {"view": "steps", "text": FERRY, "model": "gpt", "layer": 5, "head": 0, "step": "add-2"},
    ),
    Preset(
        "Two sentences",
        "Three rows are added: one for the token, one for its position, and one for its sentence (the "
        "segment).",
        {
            "view": "steps",
            "text": "Our cat is old.",
            "pair": "She sleeps now.",
            "step": "input",
            "way": "all",
        },
    ),
]

CHINESE = [
    Preset(
        "A row for each character",
        "小船, a small boat, is one word but two rows. Nothing marks where a Chinese word ends.",
        {"view": "steps", "text": "小船漂到岸邊。", "step": "input", "way": "all"},
        "zh",
    ),
]

SMOL = "smollm2"
SINCE_2017 = [
    Preset(
        "Since 2017: RMSNorm",
        "The vector is divided by its own size. No mean is subtracted, and there are no biases.",
        {"view": "steps", "text": FERRY, "model": SMOL, "layer": 5, "head": 4, "step": "norm"},
    ),
    Preset(
        "Since 2017: rotation",
        "No position vector is added. Queries and keys are rotated instead, further with every position.",
        {"view": "steps", "text": FERRY, "model": SMOL, "layer": 5, "head": 4, "step": "rotate", "word": 4},
    ),
    Preset(
        "Since 2017: shared keys",
        "Nine queries share three keys and values: a third of the memory while a text is written.",
        {"view": "steps", "text": FERRY, "model": SMOL, "layer": 5, "head": 4, "step": "heads", "way": "all"},
    ),
    Preset(
        "Since 2017: a gate",
        "Two matrices instead of one: the result of the first opens or closes that of the second.",
        {
            "view": "steps",
            "text": FERRY,
            "model": SMOL,
            "layer": 5,
            "head": 4,
            "step": "up-projection",
            "word": 2,
        },
    ),
]
