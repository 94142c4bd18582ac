"""The steps against the longest path through what waits for what."""

import networkx
import pytest
import torch

from explorer.analysis.reach import waiting
from explorer.errors import ExplorerError


def longest_paths(words, layers, needs):
    """For each state how many states, itself included, must be computed one after another for it."""
    graph = networkx.DiGraph()
    for layer in range(layers):
        for word in range(words):
            graph.add_node((layer, word))
            graph.add_edges_from((one, (layer, word)) for one in needs(layer, word))
    steps = torch.zeros(layers, words, dtype=torch.long)
    for layer, word in networkx.topological_sort(graph):
        steps[layer, word] = 1 + max(
            (int(steps[one]) for one in graph.predecessors((layer, word))), default=0
        )
    return steps


@pytest.mark.parametrize(("words", "layers"), [(1, 1), (5, 1), (1, 4), (7, 2), (4, 6)])
def test_steps_are_longest_paths(words, layers):
    def of_lstm(layer, word):
        return [(layer, word - 1)] * (word > 0) + [(layer - 1, word)] * (layer > 0)

    def of_attention(layer, word):
        return [(layer - 1, other) for other in range(words)] if layer else []

    assert waiting.recurrent(words, layers).equal(longest_paths(words, layers, of_lstm))
    assert waiting.attention(words, layers).equal(longest_paths(words, layers, of_attention))


def test_a_text_of_no_words_is_refused():
    with pytest.raises(ExplorerError, match="words"):
        waiting.recurrent(0, 2)
