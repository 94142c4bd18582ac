"""word2vec: the loss worked out by hand, what is drawn at random, and its files."""

import math

import pytest
import torch

import explorer
from explorer.errors import AbilityError, TextError
from explorer.models import FAMILIES, word2vec
from explorer.models.word2vec import Word2Vec, Word2VecConfig
from explorer.trace import Ability, Capture
from tests import tiny
from tests.hub_files import write_model
from tests.models import families

BOTH = frozenset({"contexts"})


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.fixture
def network() -> Word2Vec:
    """Three words on a plane, with answers that make every score a small number."""
    network = Word2Vec(Word2VecConfig(3, 2), BOTH)
    network.tokens.weight.data = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    network.contexts.weight.data = torch.tensor([[0.5, 0.5], [-1.0, 0.25], [2.0, 0.0]])
    return network


def test_the_loss_of_a_skip_gram_pair_by_hand(network):
    # Word 0 is read, word 1 is the answer (score -1), words 2 and 2 are wrong (score 2 each).
    result = network.loss(torch.tensor([[0]]), torch.tensor([1]), torch.tensor([[2, 2]]))
    assert result.tolist() == pytest.approx([-math.log(sigmoid(-1)) - 2 * math.log(sigmoid(-2))])


def test_the_loss_of_a_window_reads_the_mean_of_its_words(network):
    # CBOW: words 0 and 1, a place unused; their mean is (0.5, 1): answer 0 scores 0.75, word 1 scores -0.25.
    result = network.loss(torch.tensor([[0, -1, 1]]), torch.tensor([0]), torch.tensor([[1]]))
    assert result.tolist() == pytest.approx([-math.log(sigmoid(0.75)) - math.log(sigmoid(0.25))])


def test_a_negative_that_is_the_answer_does_not_count(network):
    read, answer = torch.tensor([[0], [0]]), torch.tensor([1, 1])
    with_it, without = network.loss(read, answer, torch.tensor([[2, 1], [2, 2]])).tolist()
    assert without - with_it == pytest.approx(-math.log(sigmoid(-2)))


def test_a_step_down_the_gradient_draws_the_pair_together_and_pushes_the_negative_off(network):
    network.requires_grad_()
    read, answer, negative = torch.tensor([[0]]), torch.tensor([1]), torch.tensor([[2]])
    network.loss(read, answer, negative).sum().backward()
    # d/dv = (s(u_a . v) - 1) u_a + s(u_n . v) u_n, at scores -1 and 2
    by_hand = (sigmoid(-1) - 1) * torch.tensor([-1.0, 0.25]) + sigmoid(2) * torch.tensor([2.0, 0.0])
    torch.testing.assert_close(network.tokens.weight.grad[0], by_hand)
    assert network.tokens.weight.grad[1:].abs().sum() == 0

    def scores():
        v = network.tokens.weight[0].detach()
        return [float(v @ row) for row in network.contexts.weight[1:].detach()]

    right, wrong = scores()
    with torch.no_grad():
        for table in network.parameters():
            table -= 0.1 * table.grad
    assert scores()[0] > right and scores()[1] < wrong


def test_frequent_words_are_read_less_often():
    counts = torch.tensor([9000, 900, 99, 1])
    result = word2vec.kept_share(counts, 1e-3)
    # f = 0.9, 0.09, 0.0099, 0.0001:  sqrt(t/f) + t/f, at most 1
    expected = [math.sqrt(1e-3 / f) + 1e-3 / f for f in (0.9, 0.09, 0.0099)]
    assert result.tolist() == pytest.approx([*expected, 1.0], rel=1e-6)
    assert word2vec.kept_share(counts, 0).tolist() == [1, 1, 1, 1]
    with_gensim = (math.sqrt(9000 / 10) + 1) * 10 / 9000  # its formula, with threshold_count = 1e-3 * 10000
    assert result[0].item() == pytest.approx(with_gensim, rel=1e-6)


def test_negatives_go_with_frequency_to_the_power_of_three_quarters():
    counts = torch.tensor([1600, 81, 16, 1])
    shares = torch.tensor([1600**0.75, 27, 8, 1])
    odds = word2vec.negative_odds(counts)
    torch.testing.assert_close(odds.diff(prepend=torch.zeros(1)), shares / shares.sum())
    drawn = word2vec.draw_negatives(odds, (100, 1000), seeded())
    result = drawn.flatten().bincount(minlength=4) / drawn.numel()
    spread = (shares / shares.sum() * (1 - shares / shares.sum()) / drawn.numel()).sqrt()
    assert ((result - shares / shares.sum()).abs() < 4 * spread).all()


def test_no_draw_falls_outside_the_vocabulary():
    odds = torch.tensor([0.5, 0.9999])  # rounding may leave the last a little below 1
    assert word2vec.draw_negatives(odds, (200_000,), seeded()).max() == 1
    never = word2vec.negative_odds(torch.tensor([0, 5, 0]))
    assert set(word2vec.draw_negatives(never, (1000,), seeded()).tolist()) == {1}


def test_windows_of_all_widths_are_equally_many():
    reach = word2vec.draw_reach(60_000, 3, seeded())
    assert reach.unique().tolist() == [1, 2, 3]
    assert (reach.bincount()[1:] / 20_000).tolist() == pytest.approx([1, 1, 1], abs=0.03)


def test_neighbours_by_hand():
    # Six words in two lines; columns are the distances -2 -1 0 1 2.
    lines, reach = torch.tensor([0, 0, 0, 0, 1, 1]), torch.tensor([2, 1, 2, 2, 2, 1])
    result = word2vec.neighbours(lines, reach, 2).int().tolist()
    assert result == [
        [0, 0, 0, 1, 1], [0, 1, 0, 1, 0], [1, 1, 0, 1, 0], [1, 1, 0, 0, 0], [0, 0, 0, 1, 0],
        [0, 1, 0, 0, 0],
    ]  # fmt: skip


def test_a_beginning_is_small_random_and_repeatable():
    networks = [
        word2vec.initialise(Word2Vec(Word2VecConfig(11, 7), BOTH), seeded(seed)) for seed in (1, 1, 2)
    ]
    same, again, other = (network.tokens.weight for network in networks)
    assert torch.equal(same, again) and not torch.equal(same, other)
    assert 0 < same.abs().max() <= 0.5 / 7 and not networks[0].contexts.weight.any()


def test_the_second_table_comes_and_goes_with_the_files(tmp_path):
    network = tiny.shake(Word2Vec(Word2VecConfig(len(tiny.WHOLE), 13, "cbow"), BOTH))
    write_model(tmp_path, network, FAMILIES["word2vec"])
    tiny.write_whole_words(tmp_path)
    model = explorer.load(f"folder:{tmp_path}")
    assert model.config.method == "cbow" and model.abilities == Ability.VECTORS
    torch.testing.assert_close(model.network.contexts.weight, network.contexts.weight, atol=1e-3, rtol=1e-3)
    write_model(tmp_path, families.build("word2vec", tmp_path / "bare").network, FAMILIES["word2vec"])
    assert not hasattr(explorer.load(f"folder:{tmp_path}").network, "contexts")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return families.build("word2vec", tmp_path_factory.mktemp("word2vec"))


def test_a_word_has_the_same_vector_everywhere(model):
    trace = model.trace("The bank by the river; the old BANK.")
    assert trace.tokens == ["the", "bank", "by", "the", "river", "the", "old", "bank"]
    assert trace.hidden_states.shape == (1, 8, model.config.d_model)
    assert torch.equal(trace.hidden_states[0, 1], trace.hidden_states[0, 7])
    assert torch.equal(trace.hidden_states[0, 1], model.network.tokens.weight[model.tokenizer.id("bank")])
    assert trace.attention is None and trace.logits is None


def test_what_it_cannot_do_it_says(model):
    for purpose in (Ability.CONTEXT, Ability.ATTENTION, Ability.FILL, Ability.GENERATE):
        with pytest.raises(AbilityError):
            model.require(purpose, "do that")
    with pytest.raises(TextError):
        model.trace("the bank", "a pair")
    with pytest.raises(TextError) as caught:
        model.trace("quetzal")
    assert "“quetzal”" in caught.value.message and "53 words" in caught.value.message
    for text in ("", "  ", "?!"):
        with pytest.raises(TextError):
            model.trace(text)


def test_unknown_words_are_passed_over(model):
    known, mixed = model.trace("the bank"), model.trace("the quetzal bank", capture=Capture.HIDDEN)
    assert mixed.tokens == known.tokens == ["the", "bank"]
    assert mixed.encoding.spans == [(0, 3), (12, 16)]
    assert torch.equal(mixed.hidden_states, known.hidden_states)
