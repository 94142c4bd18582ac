"""Presets of the attention page's views other than “Heads”; tests check what they say."""

from explorer.views.attention.presets import TWINS
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.page import Preset

SWAPPED = "Our boat is behind the bridge, and nobody sees the boat from the bridge."
LETTER = "My sister read the letter twice before she folded it into her pocket."
STORM = "The old ferry left the harbour before the storm came."

INSIDE = [
    Preset(
        "A key that fits",
        "The second “boat” finds the first: nearly all products of query and key are positive, and they "
        "add up.",
        {**TWINS, "view": "inside"},
    ),
    Preset(
        "The word before",
        "For every word one score stands out: this head’s queries and keys encode position, not meaning.",
        {"view": "inside", "layer": 0, "head": 2, "text": STORM, "token": ["from", 3, "ferry"]},
    ),
    Preset(
        "A large weight, a small value",
        "[CLS] gets most of the weight, but its value vector is small, so it adds little (Kobayashi et "
        "al. 2020).",
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
        "By assumption, half of each token is still itself; the other half comes from the heads.",
        {**TWINS, "view": "layers", "across_layer": 1},
    ),
    Preset(
        "[CLS] takes over",
        "Rollout says that “boat” is mostly [CLS]: it counts weights, not how small the values are.",
        {**TWINS, "view": "layers"},
    ),
    Preset(
        "All mixed",
        "Without the special tokens, every word’s share is between half and twice an even one after six "
        "layers.",
        {**TWINS, "view": "layers", "hide": True},
    ),
]

# SmolLM2's heads, chosen by their measurements (assets/heads/smollm2.json).
REAL_WRITING = [
    Preset(
        "What came next before",
        "An induction head: it finds where the last word stood before, and reads what followed it there.",
        {
            "view": "writing",
            "model": "smollm2",
            "text": "Everyone in the village knew Tobias Wetherall and his old boat. One evening Tobias",
            "look_layer": 18,
            "look_head": 6,
        },
    ),
    Preset(
        "One token back",
        "Whatever the text, this head reads the token before the last one.",
        {**TWINS, "view": "writing", "model": "smollm2", "look_layer": 16, "look_head": 0, "look_step": 12},
    ),
    Preset(
        "A place to rest",
        "On average over all heads no token gets more attention than the first, whatever it is. Take it out, "
        "and see what else is read.",
        {**TWINS, "view": "writing", "model": "smollm2", "look_step": 12},
    ),
]
SMALL_WRITING = [
    Preset(
        "The last few tokens",
        "On average the heads look most at the last tokens written; step through and watch the dark "
        "cells move.",
        {**TWINS, "view": "writing", "model": "gpt"},
    ),
    Preset(
        "Just behind",
        "Whatever the text, this head reads the last three tokens and little else.",
        {**TWINS, "view": "writing", "model": "gpt", "look_layer": 3, "look_head": 0, "look_step": 12},
    ),
    Preset(
        "Commas and full stops",
        "This head looks at commas and full stops, near or far.",
        {**TWINS, "view": "writing", "model": "gpt", "look_layer": 1, "look_head": 2, "look_step": 12},
    ),
]

WRITING = REAL_WRITING if WRITER == "smollm2" else SMALL_WRITING

COMPARE = [
    Preset(
        "Two words change places",
        "“Boat” and “bridge” are swapped. Of all heads this one changes most: it links equal words.",
        {**TWINS, "view": "compare", "compare_text": SWAPPED},
    ),
    Preset(
        "Only one boat",
        "Without a second “boat” there is nothing to find: the first looks at itself and at [CLS].",
        {
            **TWINS,
            "view": "compare",
            "compare_text": "Our boat is behind the bridge, and nobody sees the bridge from the shore.",
            "compare_cell": [2, 2],
        },
    ),
    Preset(
        "BERT and GPT",
        "Everything above the diagonal is purple: GPT never reads a later word, and BERT does.",
        {**TWINS, "view": "compare", "compare": "models", "compare_model": "gpt", "hide": True},
    ),
]

WHICH = [
    Preset(
        "The subject, not its neighbour",
        "“Were” rather than “was”: deletion and integrated gradients name “keys” first; “cabinet”, which is "
        "nearer, speaks against it.",
        {
            "view": "which",
            "text": "The keys to the old cabinet [MASK] lost.",
            "which_answer": "were",
            "which_instead": "was",
        },
    ),
    Preset(
        "“Not” in a review",
        "A head judges a film review. By deletion “not” makes it negative; by attention the full stop "
        "comes first.",
        {
            "view": "which",
            "text": "This is not a good film.",
            "which_of": "sst2",
            "which_answer": "negative",
            "which_instead": "positive",
        },
    ),
    Preset(
        "He or she",
        "Of all words “brother” speaks most for “he” rather than “she”, by deletion and by integrated "
        "gradients.",
        {
            "view": "which",
            "text": "My brother was late because [MASK] had missed the bus.",
            "which_answer": "he",
            "which_instead": "she",
        },
    ),
    Preset(
        "Paris rather than London",
        "Two methods, one model: deletion puts “France” first, and gradient × input puts it last.",
        {
            "view": "which",
            "text": "The capital of France is [MASK].",
            "which_answer": "paris",
            "which_instead": "london",
        },
    ),
]
