"""Two readings of a word: skip-gram's two matrices, and a head's queries and keys."""

import math

import pytest
import torch

from explorer.analysis.transformer import walk
from explorer.analysis.transformer.readings import head_readings, train_skipgram_readings
from explorer.analysis.vectors.train import Settings, train
from explorer.errors import TextError

TEXT = "the king met the queen\nthe cat ate the bread\n" * 20
SHORT = Settings(dimensions=8, epochs=2)


def test_skip_grams_scores_are_products_of_both_matrices():
    found = train_skipgram_readings(TEXT, ["queen", "cat", "dragon", "cat"], SHORT)
    training = train(TEXT, SHORT)
    list(training)
    rows = [training.words.index(word) for word in ("queen", "cat")]
    assert found.words == ["queen", "cat"]
    torch.testing.assert_close(found.first, training.vectors.matrix[rows])
    torch.testing.assert_close(found.second, training.contexts[rows])
    for i in range(2):
        for j in range(2):
            assert found.scores[i, j] == pytest.approx(float(found.first[i].dot(found.second[j])), abs=1e-6)
    assert found.scores[0, 1] != found.scores[1, 0]


def test_a_heads_scores_are_products_of_queries_and_keys(tiny_bert):
    found = head_readings(walk(tiny_bert, "the old river", layer=1, head=2), list("abcde"))
    wanted = found.first @ found.second.T / math.sqrt(found.first.shape[1])
    torch.testing.assert_close(found.scores, wanted)


def test_words_that_the_text_lacks_are_said():
    with pytest.raises(TextError, match="Fewer than two"):
        train_skipgram_readings(TEXT, ["queen", "dragon"], SHORT)
