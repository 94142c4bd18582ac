"""The predictions of the probes for a sentence, layer by layer."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.probing.classifier import edge_vectors
from explorer.analysis.probing.sentences import Sentence, is_mark
from explorer.analysis.probing.shipped import TASKS, probes_of
from explorer.analysis.probing.states import WordStates, word_states
from explorer.analysis.probing.structural import Arc, spanning_tree, squared_distances
from explorer.errors import ExplorerError
from explorer.models.base import Model
from explorer.short_text import WithShortText


@dataclass(frozen=True, eq=False, repr=False)
class LabelProbabilities(WithShortText):
    """The probability of each label at each layer, for some words of a sentence.

    `words` are their indices: all words, except the root for relations. `heads` are those of relations.

    >>> tags = LabelProbabilities(("NOUN", "VERB"), (0,), torch.tensor([[[0.75, 0.25]], [[0.25, 0.75]]]))
    >>> tags.best(layer=1, place=0)
    ('VERB', 0.75)
    """

    labels: tuple[str, ...]
    words: tuple[int, ...]
    probabilities: Float[Tensor, "depth word label"]
    task: str = ""
    sentence: Sentence | None = None
    heads: tuple[int, ...] = ()

    def best(self, layer: int, place: int) -> tuple[str, float]:
        """The most probable label of `words[place]`, and its probability."""
        label = int(self.probabilities[layer, place].argmax())
        return self.labels[label], self.probabilities[layer, place, label].item()


def states_of(model: Model, sentence: Sentence) -> WordStates:
    """The states of a sentence's words. Raises ExplorerError for a model without probes.

    >>> from explorer.analysis.probing import split
    >>> states_of(explorer.load("elmo"), split("Boats rock.")).has_state.tolist()
    [True, True, True]
    """
    probes_of(model)
    return word_states(model, [sentence])[0]


def labels_by_layer(
    model: Model, states: WordStates, task: str, heads: Sequence[int] = ()
) -> LabelProbabilities:
    """The predictions of a task's probes for each word.

    Tasks are `tag`, `entity` (its type), and `relation` to its head, with `heads` for all words (-1: none).
    Raises ExplorerError for another task, and for relations without a head for every word.

    >>> from explorer.analysis.probing import split
    >>> bert = explorer.load("bert")
    >>> labels_by_layer(bert, states_of(bert, split("Boats rock.")), "tag").best(layer=3, place=0)[0]
    'NOUN'
    """
    if task not in TASKS:
        raise ExplorerError(f"There is no task “{task}”.", f"Choose {', '.join(TASKS)}.")
    probes = probes_of(model).labelling[task]
    depth, count, _ = states.states.shape
    words = tuple(range(count))
    if task == "relation":
        if len(heads) != count:
            raise ExplorerError(f"{len(heads)} heads for {count} words.", "Give every word a head, or -1.")
        words = tuple(word for word in words if heads[word] >= 0)
    probabilities = []
    for layer in range(depth):
        vectors = states.states[layer]
        if task == "relation":
            vectors = edge_vectors(vectors, words, [heads[word] for word in words])
        probabilities.append(probes[layer].probabilities(vectors))
    arcs = tuple(heads) if task == "relation" else ()
    labels = probes[0].labels
    return LabelProbabilities(labels, words, torch.stack(probabilities), task, states.sentence, arcs)


class TreesByLayer(list[list[Arc]]):
    """The tree of each layer, with the `sentence` and the name of the `model` that it was read from."""

    def __init__(self, trees: list[list[Arc]], sentence: Sentence, model: str) -> None:
        super().__init__(trees)
        self.sentence, self.model = sentence, model


def trees_by_layer(model: Model, states: WordStates, sentence: Sentence) -> TreesByLayer:
    """The tree that each layer's structural probe predicts for a sentence, without punctuation.

    >>> from explorer.analysis.probing import split
    >>> bert, sentence = explorer.load("bert"), split("Boats rock.")
    >>> trees_by_layer(bert, states_of(bert, sentence), sentence)[3]
    [(0, 1)]
    """
    words = [i for i, word in enumerate(sentence.words) if not is_mark(word)]
    trees = [
        spanning_tree(squared_distances(layer, projection), words)
        for layer, projection in zip(states.states, probes_of(model).projections, strict=True)
    ]
    return TreesByLayer(trees, sentence, str(model.checkpoint))
