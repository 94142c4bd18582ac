"""What ELMo's page opens with, and for each view three presets that each make one point."""

from explorer.views.frame.page import Preset

PRESETS = [
    Preset(
        "Two opinions",
        "Read from the left, “He shook his” suggests “head”, “hand”, “eyes”. Read from the right, none of "
        "these is among the ten.",
        {},
    ),
    Preset(
        "One side knows",
        "After “the United”, States is by far the most probable; the full stop after it says nothing.",
        {"text": "She was born in the United States.", "place": 7},
    ),
    Preset(
        "The first word",
        "From the left: how sentences begin. From the right: who might have “never seen the sea”, mostly "
        "pronouns.",
        {"text": "He had never seen the sea before.", "place": 1},
    ),
]

CHARACTERS = [
    Preset(
        "Made up",
        "No list of words has “unbankable”, and word2vec no vector for it. ELMo makes one from its letters, "
        "and it lies among words in ‑able.",
        {"view": "characters", "word": "unbankable"},
    ),
    Preset(
        "Pure nonsense",
        "“blorping” means nothing, but it ends as blowing and blazing do, and so it lies among words "
        "in ‑ing.",
        {"view": "characters", "word": "blorping"},
    ),
    Preset(
        "Spelt, not meant",
        "By its letters “bank” is near bunk and banker; by word2vec, which knows its company, near "
        "loans and deposit.",
        {"view": "characters", "word": "bank"},
    ),
]
