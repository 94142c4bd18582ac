"""Presets of the attention page's views other than “Heads”; tests check what they say."""

from explorer.views.attention.presets import TWINS
from explorer.views.frame.presets import Preset

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
        {**TWINS, "view": "layers", "across_layer": 1, "across_special": True},
    ),
    Preset(
        "[CLS] takes over",
        "With [CLS] counted, rollout says that “boat” is mostly [CLS]. It counts weights, not how small the "
        "values are.",
        {**TWINS, "view": "layers", "across_special": True},
    ),
    Preset(
        "All mixed",
        "After six layers every word’s share of the last “boat” is between half and twice an even one.",
        {**TWINS, "view": "layers"},
    ),
]

COMPARE = [
    Preset(
        "Two words change places",
        "“Boat” and “bridge” are swapped. Of all heads this one changes most, because it links equal words.",
        {**TWINS, "view": "compare", "compare_text": SWAPPED},
    ),
    Preset(
        "Only one boat",
        "Without a second “boat” there is nothing to find. The first one looks at itself and at [CLS].",
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
        "Two methods, one model. Deletion puts “France” first, and gradient × input puts it last.",
        {
            "view": "which",
            "text": "The capital of France is [MASK].",
            "which_answer": "paris",
            "which_instead": "london",
        },
    ),
]
