"""Self-similarity worked by hand, and random words drawn each from another sentence."""

import pytest
import torch

from explorer.analysis.senses.contextuality import RandomWords, random_words, self_similarity, word_vectors

SENTENCES = ["We sat on the bank.", "the river was deep , the bank steep", "a boat in clean water", "money"]


def test_self_similarity_by_hand():
    # cosines: 0 between the first two, 0.6 and 0.8 to the third; on the second layer all are the same.
    vectors = torch.tensor([[[2.0, 0], [1, 1]], [[0, 3], [2, 2]], [[3, 4], [4, 4]]])
    assert self_similarity(vectors).tolist() == pytest.approx([(0 + 0.6 + 0.8) / 3, 1.0])
    assert self_similarity(vectors[:1]).isnan().all()


def test_random_words_set_the_level():
    generator = torch.Generator().manual_seed(1)
    around = torch.randn(60, 1, 40, generator=generator)
    narrow = around + 3.0
    wide = RandomWords(around)
    cone = RandomWords(narrow)
    assert abs(float(wide.similarity)) < 0.02 and float(cone.similarity) == pytest.approx(0.9, abs=0.03)


@pytest.mark.parametrize("name", ["bert", "gpt"])
def test_words_are_whole_and_signs_are_none(name, request):
    model = request.getfixturevalue(name)
    trace = model.trace("walking, on the bank.")
    found = word_vectors(trace)
    assert found.shape == (4, model.config.layers + 1, model.config.d_model)
    first = [
        i for i, (start, _) in enumerate(trace.encoding.spans) if start < 7 and not trace.encoding.special[i]
    ]
    torch.testing.assert_close(found[0], trace.hidden_states[:, first].mean(1))
    assert word_vectors(model.trace("...")).shape == (0, *found.shape[1:])


def test_random_words_come_from_different_sentences(bert):
    drawn = random_words(bert, SENTENCES, 3, seed=5)
    assert drawn.vectors.shape == (3, 4, 22)
    of_sentence = [word_vectors(bert.trace(sentence)) for sentence in SENTENCES]
    where = []
    for vector in drawn.vectors:
        near = [float((vectors - vector).abs().amax((1, 2)).min()) for vectors in of_sentence]
        assert min(near) < 1e-4
        where.append(near.index(min(near)))
    assert len(set(where)) == 3
    again = random_words(bert, SENTENCES, 3, seed=5)
    assert torch.equal(again.vectors, drawn.vectors)
    assert len(random_words(bert, [*SENTENCES, "..."], 9).vectors) == 4, "a sentence of signs has no word"


def test_a_model_without_context_is_wholly_self_similar(static):
    from explorer.analysis.senses.occurrences import occurrences

    found = occurrences(static, ["The bank by the river.", "Old money in the bank."], "bank").vectors
    assert self_similarity(found).tolist() == pytest.approx([1])
