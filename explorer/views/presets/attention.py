"""The attention page's opening view and its three presets; each point is tested on the shipped weights."""

from explorer.views.frame import Preset

DEFAULTS = {
    "model": "bert",
    "text": "Our boat is behind the bridge, and nobody sees the bridge from the boat.",
    "pair": "",
    "layer": 2,
    "head": 9,
    "hide": False,
    "token": None,  # held: [side, position, word], as explorer.views.attention.Held says
}

PRESETS = [
    Preset(
        "The same word again",
        "This head finds a word's twin, whatever each one means; a word without a twin rests on [CLS].",
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
            "layer": 4,
            "head": 5,
            "text": "My sister read the letter twice before she folded it into her pocket.",
        },
    ),
]
