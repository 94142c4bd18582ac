"""The BLEU calculator's texts: what it opens with, and presets that each make one point."""

from explorer.views.frame.page import Preset

MAT = "the cat sat on the mat"

PRESETS = [
    Preset(
        "One word, again and again",
        "“The” six times: without clipping each one counts, and the 1-grams are all right. Switch it on.",
        {"view": "bleu", "bleu_candidate": "the the the the the the", "bleu_n": 1, "bleu_clip": False},
    ),
    Preset(
        "Right, but short",
        "Every n-gram is right, and still the score is far from 100: the brevity penalty.",
        {"view": "bleu", "bleu_candidate": "the cat sat on", "bleu_n": 1},
    ),
    Preset(
        "Too short for a 4-gram",
        "Three words have no 4-gram: the product is 0, unless an effective order leaves the 4-grams out.",
        {"view": "bleu", "bleu_candidate": "the cat sat", "bleu_n": 4},
    ),
    Preset(
        "Two references",
        "No 2-gram is in the first reference, all are in the second: each may have them from either.",
        {
            "view": "bleu",
            "bleu_candidate": "a tabby was sitting on the rug",
            "bleu_references": "the cat sat on a mat\na tabby was sitting on the rug all day",
            "bleu_n": 2,
        },
    ),
]
