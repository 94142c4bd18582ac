"""The attention page's opening sentence, and presets; tests check what they say."""

from typing import Any

from explorer.views.frame.presets import Preset

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."
IT = ["from", 10, "it"]
# Two nouns that occur twice, and the head that finds equal words.
TWINS: dict[str, Any] = {
    "text": "Our boat is behind the bridge, and nobody sees the bridge from the boat.",
    "layer": 2,
    "head": 9,
    "token": None,
}


NOT_WHY = (
    "Attention is not explanation. A thick line says what a head read, not why the model "
    "answered as it did (Jain and Wallace 2019; Wiegreffe and Pinter 2019)."
)

PRESETS = [
    Preset(
        "Who was tired?",
        "In this head “it” looks at “animal”. With “wide” as the last word, it looks more at “street”.",
        {},
    ),
    Preset(
        "Always the animal",
        "In this head “it” looks at “animal” before all other words, and still does with “wide” as the last "
        "word.",
        {"layer": 5, "head": 11},
    ),
    Preset(
        "The same word again",
        "This head looks for the same word elsewhere. A word that occurs once looks at [CLS] or itself.",
        TWINS,
    ),
    Preset(
        "The word before",
        "This head ignores meaning: nearly all the weight of every row is on the token before.",
        {
            "layer": 0,
            "head": 2,
            "token": None,
            "text": "Before the ferry left, the children threw their last bread to the gulls.",
        },
    ),
    Preset(
        "A place to rest",
        "Most of the weight is on [CLS], which says little. Hide the special tokens and see how little "
        "is left.",
        {
            "layer": 1,
            "head": 10,
            "token": None,
            "text": "My sister read the letter twice before she folded it into her pocket.",
        },
    ),
]

# For views of many heads: these presets say nothing about a single head.
MANY_HEADS = [
    Preset(
        "Both directions",
        "BERT reads in both directions: lines go up to earlier words and down to later ones.",
        {"token": None},
    ),
    Preset(
        "Only back",
        "GPT reads only the current word and those before it: no line goes down, in any head of any layer.",
        {"model": "gpt", "token": None},
    ),
    Preset(
        "Two sentences",
        "The list above the picture shows what each sentence reads from itself, and what from the other.",
        {
            "token": None,
            "text": "The ferry stopped at the island before noon.",
            "pair": "Nobody got off, and it turned back to the harbour.",
        },
    ),
]
