"""What the probes say of a sentence, layer by layer."""

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


@dataclass(frozen=True, eq=False)
class Said:
    """The probability of each label at each layer, for some words of a sentence.

    `words` are their indices; the root has no relation, and so relations are of all words but one.

    >>> said = Said(("NOUN", "VERB"), (0,), torch.tensor([[[0.75, 0.25]], [[0.25, 0.75]]]))
    >>> said.best(layer=1, place=0)
    ('VERB', 0.75)
    """

    labels: tuple[str, ...]
    words: tuple[int, ...]
    probabilities: Float[Tensor, "depth word label"]

    def best(self, layer: int, place: int) -> tuple[str, float]:
        """The most probable label of `words[place]`, and its probability."""
        at = int(self.probabilities[layer, place].argmax())
        return self.labels[at], self.probabilities[layer, place, at].item()


def states_of(model: Model, sentence: Sentence) -> WordStates:
    """One sentence's states, for a model that has probes. Raises ExplorerError for another model.

    >>> import explorer
    >>> from explorer.analysis.probing import split
    >>> states_of(explorer.load("elmo"), split("Boats rock.")).known.tolist()
    [True, True, True]
    """
    probes_of(model)
    return word_states(model, [sentence])[0]


def labels_by_layer(model: Model, states: WordStates, task: str, heads: Sequence[int] = ()) -> Said:
    """What the probes for a task say of each word: its `tag`, its type of name (`entity`), or the
    `relation` of the arc from its head, where `heads` give one for each word (-1: none).

    Raises ExplorerError for another task, and for relations without a head for every word.

    >>> import explorer
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
    said = []
    for layer in range(depth):
        read = states.states[layer]
        if task == "relation":
            read = edge_vectors(read, words, [heads[word] for word in words])
        said.append(probes[layer].probabilities(read))
    return Said(probes[0].labels, words, torch.stack(said))


def trees_by_layer(model: Model, states: WordStates, sentence: Sentence) -> list[list[Arc]]:
    """The tree that each layer's structural probe finds over the words of a sentence, marks left out.

    >>> import explorer
    >>> from explorer.analysis.probing import split
    >>> bert, sentence = explorer.load("bert"), split("Boats rock.")
    >>> trees_by_layer(bert, states_of(bert, sentence), sentence)[3]
    [(0, 1)]
    """
    words = [i for i, word in enumerate(sentence.words) if not is_mark(word)]
    return [
        spanning_tree(squared_distances(layer, projection), words)
        for layer, projection in zip(states.states, probes_of(model).projections, strict=True)
    ]
