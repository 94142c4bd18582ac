"""The sentences that the page of probes opens with, and its presets."""

from explorer.manifest import manifests
from explorer.views.frame.page import Preset

MODELS = tuple(model.name for model in manifests().values() if model.probes)
WATER = "Clara wants to water her sister's plants before Sunday."
RIVER = "The river that runs past our school floods every spring."
FLORENCE = "Florence sent a card to her aunt in Florence."
BEST = -1  # stands for the layer with the highest measured score, until a layer is chosen


SENTENCE = [
    Preset(
        "A noun that is a verb here",
        "From BERT’s embedding, which knows the word alone, the probe reads a noun; three layers up, where "
        "“to” has been read, a verb.",
        {"view": "sentence"},
    ),
    Preset(
        "One name, two types",
        "The embedding says the same of both; in BERT’s best layer the first is a person, the second a "
        "place.",
        {"view": "sentence", "task": "entity", "text": FLORENCE},
    ),
]
TREE = [
    Preset(
        "More than neighbours",
        "In the treebank’s sentences, joining each word to the next finds fewer of the arcs than BERT’s "
        "best layer.",
        {"view": "tree", "text": RIVER},
    ),
    Preset(
        "Up, and down again",
        "The marks across the bars: in the treebank’s sentences BERT’s middle layers find more arcs than "
        "its embedding and than its last layer.",
        {"view": "tree", "tree_layer": 6},
    ),
]
WATCH = [
    Preset(
        "Words first, arcs later",
        "In BERT’s embedding a larger share of the tags can be read than of the arcs.",
        {"view": "watch"},
    ),
]
