"""Texts in one space: counts of words by hand, who is nearest, and where a question stands among them."""

import math

import pytest
import torch

from explorer.analysis import sentences

TEXTS = ["it rains in may", "we sat down", "in may it snows", "it"]


def test_counts_are_weighed_by_how_rare_a_word_is():
    """TF-IDF as scikit-learn smooths it: the weight of a word is 1 + log((1 + n) / (1 + texts with it))."""
    weight = {
        word: 1 + math.log(5 / (1 + count))
        for word, count in {"it": 3, "in": 2, "may": 2, "rains": 1}.items()
    }
    shared = sum(weight[word] ** 2 for word in ("it", "in", "may"))
    length = math.sqrt(shared + weight["rains"] ** 2)
    cosines = sentences.read(None, TEXTS).cosines
    assert cosines[0, 2] == pytest.approx(shared / length**2, abs=1e-6)
    assert cosines[0, 3] == pytest.approx(weight["it"] / length, abs=1e-6)
    assert cosines[0, 1] == 0


def test_a_question_is_placed_among_the_texts():
    vectors = sentences.read(None, TEXTS)
    assert vectors.search("does it snows in may", 2)[0][0] == 2
    assert vectors.search("zebra", 4) == [(0, 0.0), (1, 0.0), (2, 0.0), (3, 0.0)]
    assert vectors.nearest(0, 9)[0][0] == 2 and len(vectors.nearest(0, 9)) == 3


def test_texts_without_a_word_are_zeros():
    vectors = sentences.read(None, ["?!", "..."])
    assert not vectors.dense.any() and vectors.search("?", 1) == [(0, 0.0)]


def test_a_question_and_the_texts_have_prompts_of_their_own(encoder):
    from dataclasses import replace

    from explorer.models.pooling import Pooling

    model = replace(encoder, pooling=Pooling(prompts={"query": "the ", "passage": "a "}))
    vectors = sentences.read(model, ["river"])
    plain = sentences.read(encoder, ["a river", "the river"]).vectors
    assert torch.allclose(torch.cat([vectors.vectors, vectors.place(["river"])]), plain, atol=1e-5)
