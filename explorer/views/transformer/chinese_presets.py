"""An example in Chinese for the Transformer page."""

from explorer.views.frame.page import Preset

STEPS = [
    Preset(
        "A row for each character",
        "小船, a small boat, is one word and two rows: nothing marks where a Chinese word ends.",
        {"text": "小船漂到岸邊。", "step": "input", "way": "all"},
        "zh",
    ),
]
