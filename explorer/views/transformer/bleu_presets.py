"""The BLEU calculator's texts: what it opens with, and presets that each make one point."""

from explorer.views.frame.presets import Preset

MAT = "the cat sat on the mat"

PRESETS = [
    Preset(
        "One word, again and again",
        "“The” six times, and every one is in the reference. But it has only two, so the other four are "
        "clipped.",
        {"view": "bleu", "bleu_candidate": "the the the the the the", "bleu_n": 1},
    ),
    Preset(
        "Right, but short",
        "Every n-gram is correct, but the score is far from 100 because of the brevity penalty.",
        {"view": "bleu", "bleu_candidate": "the cat sat on", "bleu_n": 1},
    ),
    Preset(
        "Too short for a 4-gram",
        "All three words are correct and in order. But they have no 4-gram, so the product is 0.",
        {"view": "bleu", "bleu_candidate": "the cat sat", "bleu_n": 4},
    ),
    Preset(
        "Two references",
        "No 2-gram is in the first reference, but all are in the second. A match in either one counts.",
        {
            "view": "bleu",
            "bleu_candidate": "a tabby was sitting on the rug",
            "bleu_references": "the cat sat on a mat\na tabby was sitting on the rug all day",
            "bleu_n": 2,
        },
    ),
]
