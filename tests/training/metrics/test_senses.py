"""Senses from three sentences each: the readers against scikit-learn and by hand, then the whole."""

import numpy as np
import pytest
import torch
from sklearn.metrics import f1_score
from sklearn.naive_bayes import MultinomialNB

from explorer.analysis.senses import chinese_words
from explorer.errors import TextError
from training.metrics.senses import (
    TIED,
    by_centroid,
    by_naive_bayes,
    chinese,
    draw_shots,
    english,
    examples,
    macro_f1,
    senses,
)

MONEY = ["the bank was old money {}", "we saw money in the bank {}", "in the bank is money {}"]
RIVER = ["the river bank is deep {}", "water by the bank {}", "we walk on the bank of the river {}"]


@pytest.fixture
def folder(tmp_path):
    """Two words: the senses of `bank` show in the words around, `light` has one sense too few."""
    lines = [
        f"{t.format(end)} #{sense}"
        for sense, texts in (("money", MONEY), ("river", RIVER))
        for t in texts
        for end in ("it", "and you", "of old")
    ]
    (tmp_path / "bank.txt").write_text(
        "\n".join([*lines, "a bank alone", "the bank #rare"]), encoding="utf-8"
    )
    (tmp_path / "light.txt").write_text("\n".join(f"the light {i} #lamp" for i in "abcdef"), encoding="utf-8")
    return tmp_path


def test_three_different_sentences_of_each_sense():
    truth = torch.tensor([0, 1, 0, 1, 0, 1, 0, 0, 1])
    shots = draw_shots(truth, draws=50, seed=1)
    assert shots.shape == (50, 2, 3)
    assert (truth[shots] == torch.tensor([0, 1])[None, :, None]).all()
    assert all(len(set(s.tolist())) == 3 for s in shots.flatten(0, 1))
    assert torch.equal(shots, draw_shots(truth, 50, 1)) and not torch.equal(shots, draw_shots(truth, 50, 2))
    assert set(shots[:, 0].flatten().tolist()) == {0, 2, 4, 6, 7}


def test_the_nearest_centroid_by_hand():
    vectors = torch.tensor([[1.0, 0], [2, 1], [1, -1], [0, 1], [0, 3], [-1, 2], [3, 4], [1, 1]])[:, None]
    shots = torch.tensor([[[0, 1, 2], [3, 4, 5]]])
    guess = by_centroid(vectors, shots)
    # Of the unit vectors the centroids point to -6 and 99 degrees: 46.5 lies between 45 and 53.
    assert guess[0, :, 0].tolist() == [0, 0, 0, 1, 1, 1, 1, 0]
    assert torch.equal(by_centroid(vectors * torch.arange(1, 9)[:, None, None], shots), guess)


def test_equal_vectors_are_tied_and_tied_is_wrong():
    vectors = torch.ones(8, 1, 3)
    truth, shots = torch.tensor([0, 0, 0, 0, 1, 1, 1, 1]), torch.tensor([[[0, 1, 2], [4, 5, 6]]])
    guess = by_centroid(vectors, shots)
    assert (guess == TIED).all()
    test = torch.ones(1, 8, dtype=torch.bool)
    assert float(macro_f1(truth, guess, test)) == 0


def test_naive_bayes_is_that_of_scikit_learn():
    generator = torch.Generator().manual_seed(3)
    bags = torch.randint(3, (20, 11), generator=generator).double()
    truth = torch.arange(20) % 3
    shots = draw_shots(truth, draws=6, seed=0)
    guess = by_naive_bayes(bags, shots)
    for draw in range(6):
        chosen = shots[draw].flatten()
        known = bags[chosen].sum(0) > 0
        classifier = MultinomialNB(alpha=1.0, fit_prior=False)
        classifier.fit(bags[chosen][:, known].numpy(), truth[chosen].numpy())
        assert guess[draw].tolist() == classifier.predict(bags[:, known].numpy()).tolist()


def test_words_that_were_never_seen_say_nothing():
    bags = torch.zeros(7, 4, dtype=torch.float64)
    bags[:6, 0] = 1
    bags[6, 3] = 5
    shots = torch.tensor([[[0, 1, 2], [3, 4, 5]]])
    assert by_naive_bayes(bags, shots)[0, 6] == TIED


def test_macro_f1_is_that_of_scikit_learn():
    random = np.random.default_rng(0)
    truth = torch.tensor(random.integers(0, 3, 30))
    guess = torch.tensor(random.integers(-1, 3, (4, 30, 2)))
    test = torch.tensor(random.random((4, 30)) < 0.7)
    found = macro_f1(truth, guess, test)
    for draw in range(4):
        for layer in range(2):
            rows = test[draw]
            expected = f1_score(truth[rows], guess[draw, rows, layer], labels=[0, 1, 2], average="macro")
            assert float(found[draw, layer]) == pytest.approx(expected)


def test_examples_hold_the_word_and_the_rest_apart(tiny_bert, folder):
    found = examples(tiny_bert, "bank", english(folder))
    assert found.truth.tolist() == [0] * 9 + [1] * 9  # untagged and rare sentences are left out
    trace = tiny_bert.trace("the bank was old money it")
    word = trace.tokens.index("bank")
    others = [i for i in range(1, len(trace.tokens) - 1) if i != word]
    torch.testing.assert_close(found.vectors[0], trace.hidden_states[:, word], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(found.others[0], trace.hidden_states[:, others].mean(1), atol=1e-5, rtol=1e-4)
    assert found.bags[0].sum() == 5  # the bag does not hold the word itself


def test_a_chinese_word_in_either_script_is_the_mean_of_its_characters(tiny_chinese):
    found = examples(tiny_chinese, "pingguo", chinese())
    assert len(found.truth) == 24 and found.truth.unique().tolist() == [0, 1]
    first = chinese_words.sentences(chinese_words.word("pingguo"))[0]
    trace = tiny_chinese.trace(first.text)
    (start, end) = chinese().find(first.text, "pingguo")[0]
    assert trace.encoding.tokens[start + 1 : end + 1] == list(first.text[start:end]), "after [CLS]"
    expected = torch.stack([h[start + 1 : end + 1].mean(0) for h in trace.hidden_states])
    torch.testing.assert_close(found.vectors[0], expected, atol=1e-5, rtol=1e-4)
    assert found.bags.sum(1).min() > 3


def test_a_word_whose_neighbours_tell(tiny_bert, folder):
    own, others, bayes = senses(tiny_bert, "dev", ["bank", "light"], english(folder))
    assert (own.items, own.of, bayes.note) == (1, "words, 18 sentences", "guessing: 50.0")
    assert bayes.value > 0.7  # by the money and the river beside it
    assert len(own.layers) == len(others.layers) == tiny_bert.config.layers + 1
    assert all(0 <= layer <= 1 for layer in own.layers)
    assert senses(tiny_bert, "dev", ["bank"], english(folder)) == [own, others, bayes]
    with pytest.raises(TextError):
        senses(tiny_bert, "dev", ["light"], english(folder))
