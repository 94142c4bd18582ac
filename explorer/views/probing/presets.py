"""The sentences that the page of probes opens with, and its presets."""

from explorer.catalogue.manifest import manifests
from explorer.views.frame.presets import Preset

MODELS = tuple(model.name for model in manifests().values() if model.probes)
WATER = "Clara wants to water her sister's plants before Sunday."
RIVER = "The river that runs past our school floods every spring."
FLORENCE = "Florence sent a card to her aunt in Florence."
BEST = -1  # stands for the layer with the highest measured score, until a layer is chosen


SENTENCE = [
    Preset(
        "A noun that is a verb here",
        "From layer 0, the embedding, which knows the word alone, the probe reads a noun. Three layers up, "
        "where “to” has been read, it reads a verb.",
        {},
    ),
    Preset(
        "One name, two types",
        "The embedding says the same about both. In BERT’s best layer the first is a person, the second a "
        "place.",
        {"task": "entity", "text": FLORENCE},
    ),
]
TREE = [
    Preset(
        "More than neighbours",
        "In the treebank’s sentences, BERT’s best layer finds more of the arcs than joining each word to the "
        "next does.",
        {"view": "tree", "text": RIVER},
    ),
    Preset(
        "Up, and down again",
        "The marks across the bars: in the treebank’s sentences BERT’s middle layers find more arcs than "
        "its embedding and than its last layer.",
        {"view": "tree", "tree_layer": 6},
    ),
]
