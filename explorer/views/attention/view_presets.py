"""Examples of the attention page's views beside its heads; each makes one point that is tested."""

from explorer.views.frame.page import Preset

LETTER = "My sister read the letter twice before she folded it into her pocket."
STORM = "The old ferry left the harbour before the storm came."

INSIDE = [
    Preset(
        "A key that fits",
        "The second “boat” asks, the first answers: nearly all products are above zero, and they add up.",
        {"view": "inside"},
    ),
    Preset(
        "The word before",
        "Whatever the word, one score stands out: this head’s queries and keys go by place, not by meaning.",
        {"view": "inside", "layer": 0, "head": 2, "text": STORM, "token": ["from", 3, "ferry"]},
    ),
    Preset(
        "Heavy, and yet little",
        "[CLS] gets most of the weight, but its value is small: it hands little on (Kobayashi et al. 2020).",
        {
            "view": "inside",
            "layer": 4,
            "head": 5,
            "text": LETTER,
            "token": ["from", 5, "letter"],
            "inside_to": [0, "[cls]"],
        },
    ),
]

ACROSS = [
    Preset(
        "After one layer",
        "Half of the token is itself, by assumption; the heads have brought the other half.",
        {"view": "layers", "across_layer": 1},
    ),
    Preset(
        "A resting place swells",
        "By rollout [CLS] is most of “boat”: rollout counts weights, not the small values that they carry.",
        {"view": "layers"},
    ),
    Preset(
        "All mixed",
        "Without special tokens every word has half to twice an even share after six layers; flow is near 1.",
        {"view": "layers", "hide": True, "across_flow": True},
    ),
]

WRITING = [
    Preset(
        "Looking back",
        "All heads together look most at what was written last; step through and watch the dark move along.",
        {"view": "writing", "model": "gpt"},
    ),
    Preset(
        "Just behind",
        "Whatever has been written, this head reads the last three tokens and little else.",
        {"view": "writing", "model": "gpt", "look_layer": 3, "look_head": 0, "look_step": 12},
    ),
    Preset(
        "Commas and full stops",
        "This one goes to the marks between parts of a sentence, near or far.",
        {"view": "writing", "model": "gpt", "look_layer": 1, "look_head": 2, "look_step": 12},
    ),
]

COMPARE = [
    Preset(
        "Two words change places",
        "“Boat” and “bridge” are swapped; of all heads this one changes most, for it follows the twins.",
        {"view": "compare"},
    ),
    Preset(
        "The twin is gone",
        "Without a second “boat” the first has nothing to find: it reads itself, and [CLS].",
        {
            "view": "compare",
            "compare_text": "Our boat is behind the bridge, and nobody sees the bridge from the shore.",
            "compare_cell": [2, 2],
        },
    ),
    Preset(
        "BERT and GPT",
        "Above the diagonal all is purple: GPT never reads a later word, BERT does.",
        {"view": "compare", "compare": "models", "compare_model": "gpt", "hide": True},
    ),
]
