"""The three measures of how well senses are kept apart: worked by hand, and against scikit-learn."""

import pytest
import torch
import torch.nn.functional as F

from explorer.analysis.senses.separation import macro_f1, separation


def clouds(seed: int = 3, apart: float = 2.0) -> tuple[torch.Tensor, list[str]]:
    """Three senses of 7, 5 and 9 occurrences on two layers, the second of which keeps them apart."""
    generator = torch.Generator().manual_seed(seed)
    senses = ["a"] * 7 + ["b"] * 5 + ["c"] * 9
    centre = torch.randn(3, 13, generator=generator)
    noise = torch.randn(21, 2, 13, generator=generator)
    noise[:, 1] += apart * centre[[ord(s) - ord("a") for s in senses]]
    return noise, senses


def test_separation_by_hand():
    # Layer 0 mixes the senses, layer 1 keeps them on two axes; the fifth has no sense.
    vectors = [
        [[1.0, 0.0], [1.0, 0.1]],
        [[0.0, 1.0], [1.0, -0.1]],
        [[1.0, 0.0], [0.1, 1.0]],
        [[0.0, 1.0], [-0.1, 1.0]],
        [[1.0, 1.0], [0.2, 1.0]],
    ]
    found = separation(torch.tensor(vectors), ["a", "a", "b", "b", None])
    assert found.senses == ["a", "b"] and found.judged == 4
    assert found.accuracy.tolist() == [0, 1] and found.macro_f1.tolist() == [0, 1]
    assert found.best_layer == 1
    assert found.guesses == [["b", "b", "a", "a", found.guesses[0][4]], ["a", "a", "b", "b", "b"]]
    own = float(F.cosine_similarity(torch.tensor([1.0, 0.1]), torch.tensor([1.0, -0.1]), dim=0))
    assert float(found.margin[1]) == pytest.approx(own, abs=1e-6)  # the other axis is at cosine 0 on average


def test_the_embedding_is_never_the_best_layer():
    mixed = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    parted = torch.tensor([[1.0, 0.1], [1.0, -0.1], [0.1, 1.0], [-0.1, 1.0]])
    senses = ["a", "a", "b", "b"]
    assert separation(torch.stack([parted, mixed, parted], 1), senses).best_layer == 2
    assert separation(torch.stack([parted, mixed], 1), senses).best_layer is None


def test_separation_leaves_the_judged_one_out():
    generator = torch.Generator().manual_seed(4)
    vectors = torch.randn(11, 3, 7, generator=generator)
    senses = ["a", "b", "c", "a", "b", "c", "a", "b", "a", None, "lonely"]
    found = separation(vectors, senses)
    unit = F.normalize(vectors, dim=-1)
    for layer in range(3):
        hits = 0
        for i, sense in enumerate(senses):
            cosines = {}
            for name in ("a", "b", "c", "lonely"):
                others = [unit[j, layer] for j, s in enumerate(senses) if s == name and j != i]
                if others:
                    centroid = torch.stack(others).mean(0)
                    cosines[name] = float(F.cosine_similarity(unit[i, layer], centroid, dim=0))
            guess = max(cosines, key=cosines.get)
            assert found.guesses[layer][i] == guess
            hits += guess == sense and sense not in (None, "lonely")
        assert float(found.accuracy[layer]) == pytest.approx(hits / 9)
    assert found.judged == 9


@pytest.mark.parametrize("senses", [["a", "a"], [None, None], ["a", "b"]])
def test_separation_needs_something_to_judge(senses):
    assert separation(torch.tensor([[[1.0, 0.0]], [[0.0, 1.0]]]), senses) is None
    assert separation(torch.empty(0, 1, 2), []) is None


def test_macro_f1_by_hand():
    truth, guess = torch.tensor([0, 0, 0, 1]), torch.tensor([0, 0, 1, 1])
    assert float(macro_f1(truth, F.one_hot(guess).float())) == pytest.approx((4 / 5 + 2 / 3) / 2)


def test_a_guess_between_equals_is_shared():
    same = torch.ones(6, 2, 5)
    found = separation(same, ["a", "a", "b", "b", "c", "c"])
    assert found.best_layer is None
    assert found.accuracy.tolist() == pytest.approx([1 / 3] * 2) and found.macro_f1.tolist() == pytest.approx(
        [1 / 3] * 2
    )
    # Four of a and two of b: half of each is guessed right, and so F1 is 2 * 2 / (4 + 3) and 2 * 1 / (2 + 3).
    found = separation(same, ["a", "a", "a", "a", "b", "b"])
    assert found.accuracy.tolist() == pytest.approx([1 / 2] * 2)
    assert found.macro_f1.tolist() == pytest.approx([(4 / 7 + 2 / 5) / 2] * 2)


def test_macro_f1_is_that_of_scikit_learn_and_occurrences_without_a_sense_do_not_count():
    from sklearn.metrics import f1_score

    vectors, senses = clouds()
    result = separation(vectors, senses)
    for layer in range(2):
        expected = f1_score(senses, result.guesses[layer], average="macro")
        assert float(result.macro_f1[layer]) == pytest.approx(expected)
    extra = torch.randn(4, 2, 13, generator=torch.Generator().manual_seed(1))
    whole = separation(torch.cat([extra, vectors]), [None] * 4 + senses)
    torch.testing.assert_close(whole.macro_f1, result.macro_f1)
