"""Presets of the views on positions and attention masks.

Sentences of the same patterns are in tests/siblings/orders.json.
"""

from explorer.views.frame.page import Preset

POSITIONS = [
    Preset(
        "One shift, one rotation",
        "Three places on is the same rotation from every position: the error is rounding alone.",
        {"view": "positions", "positions_part": "shift"},
    ),
    Preset(
        "Falls, then ripples",
        "Among sines and cosines the distance alone counts: the cosine falls at first, then ripples. In "
        "the learnt tables it depends on the place too.",
        {"view": "positions", "positions_part": "products", "positions_length": 128},
    ),
    Preset(
        "Turned, not added",
        "Newer models add nothing: they rotate queries and keys, and a score depends on the distance alone.",
        {"view": "positions", "positions_part": "rotation"},
    ),
]

OPPOSITE = ("Anna does like films that do not have a plot.", "Anna does not like films that do have a plot.")
WHOM = ("The dog bit the old man.", "The old man bit the dog.")
SHUFFLE = [
    Preset(
        "The opposite opinion",
        "The same words say the opposite. Without positions BERT makes the same of both; with them every "
        "word moves a little.",
        {"view": "shuffle", "text": OPPOSITE[0], "shuffle_other": OPPOSITE[1]},
    ),
    Preset(
        "Who bites whom",
        "GPT is not blind even without positions: each word has read those before it, and these have "
        "changed.",
        {"view": "shuffle", "text": WHOM[0], "shuffle_other": WHOM[1]},
    ),
]

RIGHT = "The patient was taken to the [MASK] by helicopter."
MASKS = [
    Preset(
        "What follows is not read",
        "Left to right the helicopter stays unread, and hospital, BERT’s first guess, becomes less probable.",
        {"view": "masks", "masks_text": RIGHT, "masks_pair": ""},
    ),
    Preset(
        "A prefix read both ways",
        "With the first sentence read both ways the guess stays a little nearer to the full one than left "
        "to right.",
        {"view": "masks"},
    ),
    Preset(
        "Three ways to read",
        "BERT’s states have read all words, GPT’s those before them; ELMo’s two rows of states meet at the "
        "top alone.",
        {"view": "masks", "masks_part": "readers"},
    ),
]
