"""The page on the two readers: what it opens with, and three presets that each make one point."""

from explorer.views.frame.page import Preset

DEFAULTS = {
    "text": "He was the first president of the United States.",
    "model": "elmo",
    "place": 8,  # the chosen word, counted from 1; 0 for the one in the middle
    "k": 10,
}

PRESETS = [
    Preset(
        "One side knows",
        "After “the United”, States is likeliest by far; the full stop behind it gives nothing away.",
        {"text": "She was born in the United States.", "place": 7},
    ),
    Preset(
        "A turn of phrase",
        "After “He shook his” the reader from the left thinks of head, eyes, hands; the other cannot know.",
        {"text": "He shook his head and went away.", "place": 4},
    ),
    Preset(
        "The first word",
        "From the left, how sentences begin; from the right, who may have “never seen the sea”: he, I, she.",
        {"text": "He had never seen the sea before.", "place": 1},
    ),
]
