"""Presets of Step by step, whose points are tested."""

from explorer.views.frame.page import Preset

FERRY = "The old ferry left the harbour."
STEPS = [
    Preset(
        "The word before",
        "In every row nearly all the weight is on the word before, whatever the words are.",
        {"view": "steps", "text": FERRY, "layer": 0, "head": 2, "step": "softmax", "way": "all"},
    ),
    Preset(
        "No looking ahead",
        "GPT’s later words are masked before the softmax: the upper right of the scores is empty.",
        {"view": "steps", "text": FERRY, "model": "gpt", "head": 0, "step": "mask", "way": "all"},
    ),
    Preset(
        "Few units at work",
        "For these words fewer than one hidden unit in five is above 0; the others add next to nothing.",
        {"view": "steps", "text": FERRY, "step": "up-projection", "way": "all"},
    ),
    Preset(
        "Nothing holds GPT back",
        "Pre-norm passes the sum on as it is: at the end the vectors are over ten times as long as at "
        "the input.",
        {"view": "steps", "text": FERRY, "model": "gpt", "layer": 5, "head": 0, "step": "add-2"},
    ),
    Preset(
        "Two sentences",
        "Three rows are added: the token’s, its position’s, and one that says which sentence it is in.",
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
        "小船, a small boat, is one word and two rows: nothing marks where a Chinese word ends.",
        {"view": "steps", "text": "小船漂到岸邊。", "step": "input", "way": "all"},
        "zh",
    ),
]

SMOL = "smollm2"
SINCE_2017 = [
    Preset(
        "Since 2017: RMSNorm",
        "The vector is divided by its own size; no mean is subtracted, and there are no biases.",
        {"view": "steps", "text": FERRY, "model": SMOL, "layer": 5, "head": 4, "step": "norm"},
    ),
    Preset(
        "Since 2017: rotation",
        "No row for a position is added: queries and keys are rotated, further with every position.",
        {"view": "steps", "text": FERRY, "model": SMOL, "layer": 5, "head": 4, "step": "rotate", "word": 4},
    ),
    Preset(
        "Since 2017: shared keys",
        "Nine heads ask, three keys answer: a third of the memory while a text is written.",
        {"view": "steps", "text": FERRY, "model": SMOL, "layer": 5, "head": 4, "step": "heads", "way": "all"},
    ),
    Preset(
        "Since 2017: a gate",
        "Two matrices where there was one: what the first makes opens or shuts what the second makes.",
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
