"""Texts that are long enough to be cut, and the presets of the view that cuts them."""

from explorer.views.frame.presets import Preset

LONGEST = 6_000  # characters: more than the bundled GPT's positions hold
FLOOD = (
    "In the spring the river rose until it stood in the streets of the old town. The people carried their "
    "beds to the upper floors and tied their boats to the window frames. On the third day the baker rowed "
    "from house to house with warm bread, and the doctor went with him in the same boat. Children who had "
    "never seen so much water caught fish from the stairs of the school. Their teacher, an old man with a "
    "white beard, came every morning in a wash tub and gave his lessons through the window. When the river "
    "went back to its bed, it left mud in every cellar and a green line on every wall. The people cleaned "
    "their houses, dried their books in the sun, and opened their shops again. But the line on the walls "
    "was never painted over. Below it the mayor wrote the year of the flood, and whoever walks through the "
    "old town today can still see how high the river once stood."
)
PRESETS = [
    Preset(
        "Cut, and forgotten",
        "In segments of 16 tokens, the first token after a cut costs GPT more bits than in the uncut text.",
        {"view": "segments"},
    ),
    Preset(
        "With a memory",
        "With the keys and values of the 16 tokens before, less than half of the extra bits are left.",
        {"view": "segments", "xl_memory": 16},
    ),
    Preset(
        "Without the first four",
        "GPT has learnt to attend a lot to the first tokens of a text. Without them the same memory helps "
        "less.",
        {"view": "segments", "xl_memory": 16, "xl_first": False},
    ),
    Preset(
        "Positions from 0",
        "The same memory, but each segment counts its positions from 0. The text costs more bits than when "
        "they go on.",
        {"view": "segments", "xl_memory": 16, "xl_positions": "restarted"},
    ),
    Preset(
        "Layer by layer",
        "One layer sees one memory back, six layers see six.",
        {"view": "segments", "xl_memory": 16, "xl_first": False, "xl_show": "reach"},
    ),
]
