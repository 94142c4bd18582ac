"""Probes: simple classifiers that predict facts about a word from its hidden state at each layer.

    sentence = split("Anna moored the boat.")
    states = states_of(model, sentence)
    labels_by_layer(model, states, "tag").best(layer=3, place=1)     ('VERB', 0.99)
    trees_by_layer(model, states, sentence)[3]                       [(0, 1), (1, 3), (2, 3)]

A probe shows that a simple function can extract a fact from a layer. It does not show that the model uses it;
and a strong enough probe may learn the fact itself, which its control task shows.
"""

from explorer.analysis.probing.annotated import own_sentences
from explorer.analysis.probing.control import control_labels
from explorer.analysis.probing.mix import centre_of_gravity, expected_layer
from explorer.analysis.probing.reading import LabelProbabilities, labels_by_layer, states_of, trees_by_layer
from explorer.analysis.probing.sentences import Sentence, read_treebank, split
from explorer.analysis.probing.shipped import figures, probes
from explorer.analysis.probing.structural import spanning_tree, tree_distances, uuas

__all__ = [
    "LabelProbabilities",
    "Sentence",
    "centre_of_gravity",
    "control_labels",
    "expected_layer",
    "figures",
    "labels_by_layer",
    "own_sentences",
    "probes",
    "read_treebank",
    "spanning_tree",
    "split",
    "states_of",
    "tree_distances",
    "trees_by_layer",
    "uuas",
]
