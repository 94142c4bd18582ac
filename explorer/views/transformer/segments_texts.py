"""A text that is long enough to be cut."""

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
