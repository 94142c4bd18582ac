"""The attention page's opening view, and presets whose points are tested."""

from explorer.views.frame.page import Preset

DEFAULTS = {
    "model": "bert",
    "view": "head",
    "text": "Our boat is behind the bridge, and nobody sees the bridge from the boat.",
    "pair": "",
    "layer": 2,
    "head": 9,
    "hide": False,
    "token": None,  # held: [side, position, word], as attention.sentence.Held says
}

NOT_WHY = (
    "Attention is not explanation: a heavy line says what a head read, not why the model "
    "answered as it did (Jain and Wallace 2019; Wiegreffe and Pinter 2019)."
)

PRESETS = [
    Preset(
        "The same word again",
        "This head finds a word’s twin, whatever either means; one without a twin rests on [CLS] or itself.",
        {},
    ),
    Preset(
        "The word before",
        "This one ignores meaning: nearly all of every row lies one step to the left.",
        {
            "layer": 0,
            "head": 2,
            "text": "Before the ferry left, the children threw their last bread to the gulls.",
        },
    ),
    Preset(
        "A place to rest",
        "Most weight sits on [CLS], which says little. Hide the special tokens and see how little was left.",
        {
            "layer": 1,
            "head": 10,
            "text": "My sister read the letter twice before she folded it into her pocket.",
        },
    ),
]

# Where many heads are seen at once, nothing is promised of any one of them.
MANY_HEADS = [
    Preset(
        "Both ways",
        "BERT reads both ways: lines climb to earlier words and fall to later ones.",
        {},
    ),
    Preset(
        "Only back",
        "GPT reads what came before and itself: in no head of any layer does a line fall.",
        {"model": "gpt"},
    ),
    Preset(
        "Two sentences",
        "The list above the picture takes them apart: what each sentence reads of itself, and of the other.",
        {
            "text": "The ferry stopped at the island before noon.",
            "pair": "Nobody got off, and it turned back to the harbour.",
        },
    ),
]
