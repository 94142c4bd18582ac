"""Presets of the views on positions and attention masks.

Sentences of the same patterns are in tests/siblings/orders.json.
"""

from explorer.views.frame.presets import Preset

POSITIONS = [
    Preset(
        "One shift, one rotation",
        "Moving three positions is the same rotation everywhere. The only error is rounding.",
        {"view": "positions", "positions_part": "shift"},
    ),
    Preset(
        "Falls, then ripples",
        "For sines and cosines only the distance counts: the cosine falls at first, then ripples. In the "
        "learnt tables it also depends on the position.",
        {"view": "positions", "positions_part": "products", "positions_length": 128},
    ),
    Preset(
        "Rotated, not added",
        "Newer models add nothing. They rotate queries and keys, so that a score depends only on the "
        "distance.",
        {"view": "positions", "positions_part": "rotation"},
    ),
]

OPPOSITE = ("Anna does like films that do not have a plot.", "Anna does not like films that do have a plot.")
BITES = ("The dog bit the man.", "The man bit the dog.")  # what it opens with
WHOM = ("The dog bit the old man.", "The old man bit the dog.")
SHUFFLED = {"view": "positions", "positions_part": "shuffle"}
SHUFFLE = [
    Preset(
        "The opposite opinion",
        "The same words say the opposite. Without positions BERT sees no difference. With them every word’s "
        "vector changes a little.",
        SHUFFLED | {"shuffle_text": OPPOSITE[0], "shuffle_other": OPPOSITE[1]},
    ),
    Preset(
        "Who bites whom",
        "Even without positions GPT sees a difference: each word has read those before it, and these have "
        "changed.",
        SHUFFLED | {"shuffle_text": WHOM[0], "shuffle_other": WHOM[1]},
    ),
]

RIGHT = "The patient was taken to the [MASK] by helicopter."
MASKS = [
    Preset(
        "What follows is not read",
        "Reading left to right, the model never gets to “helicopter”. BERT’s first guess, “hospital”, "
        "becomes less probable.",
        {"view": "masks", "masks_text": RIGHT, "masks_pair": ""},
    ),
    Preset(
        "A prefix read both ways",
        "With the first sentence read both ways, the guesses stay closer to those of the full mask.",
        {"view": "masks", "masks_part": "masks"},
    ),
    Preset(
        "Three ways to read",
        "BERT’s vectors have read all words, GPT’s only those before them. ELMo’s two readers meet at the "
        "top alone.",
        {"view": "masks", "masks_part": "readers"},
    ),
]
