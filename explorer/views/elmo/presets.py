"""The presets of ELMo’s page. Each makes one point."""

from explorer.views.frame.presets import Preset

BILM = [
    Preset(
        "Both sides know",
        "“They were on the other …” and “… of the river” both suggest “side”.",
        {"view": "bilm"},
    ),
    Preset(
        "Two opinions",
        "From the left, “He shook his” suggests “head”. From the right, none of the left LSTM’s first three "
        "guesses is among the five.",
        {"view": "bilm", "text": "He shook his head and went away.", "place": 4},
    ),
    Preset(
        "One side knows",
        "After “the United”, “States” is by far the most probable word. The full stop after it says nothing.",
        {"view": "bilm", "text": "She was born in the United States.", "place": 7},
    ),
    Preset(
        "The backward LSTM",
        "It has read “of the river” from the right, and predicts the word before.",
        {"view": "bilm", "state": ["backward", 2, 7]},
    ),
    Preset(
        "ELMo’s vector",
        "The vector of “side” is made of all five of its boxes: letters, and two states on each layer.",
        {"view": "bilm", "state": ["", 0, 6]},
    ),
]

CHARACTERS = [
    Preset(
        "Made up",
        "No list of words has “unbankable”, and word2vec has no vector for it. ELMo makes one from its "
        "letters, and it lies among words in ‑able.",
        {"view": "characters", "word": "unbankable"},
    ),
    Preset(
        "Pure nonsense",
        "“blorping” means nothing, but it ends as “blazing” and “flapping” do, so it lies among words in "
        "‑ing.",
        {"view": "characters", "word": "blorping"},
    ),
    Preset(
        "Spelt, not meant",
        "By its letters, “bank” is near “bunk” and “banker”. In word2vec, which knows the company it "
        "keeps, it is near “loans” and “deposit”.",
        {"view": "characters", "word": "bank"},
    ),
]
