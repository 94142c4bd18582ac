"""What heads are compared with, and the map that follows a training."""

import pytest
import torch

from explorer.finetuning import Labelled, Question, Tagged
from explorer.finetuning.baselines import bag_of_words, majority, nearest, random_weights
from explorer.finetuning.progress import project_aligned


def test_the_most_frequent_class():
    train = [Labelled("a", "x"), Labelled("b", "x"), Labelled("c", "y")]
    assert majority(train, [Labelled("d", "x"), Labelled("e", "y"), Labelled("f", "y")]) == {
        "accuracy": pytest.approx(1 / 3)
    }
    tagged = [Tagged(("a", "b"), ("O", "B-c"))]
    assert majority(tagged, tagged)["f1"] == 0 and majority(tagged, tagged)["accuracy"] == 0.5
    questions = [Question("a b", "c", ""), Question("a b", "c", "b")]
    assert majority(questions, questions) == {"f1": 0.5, "exact": 0.5}


def test_a_bag_of_words_knows_words_and_not_their_order(every):
    for kind in ("classes", "tags"):
        scores = bag_of_words(every[kind], every[kind])
        assert next(iter(scores.values())) == 1, kind
    mirrored = [Labelled("dog bites man", "x"), Labelled("man bites dog", "y")]
    unseen = [Labelled("man dog bites", "x"), Labelled("man dog bites", "y")]
    assert bag_of_words(mirrored, unseen) == {"accuracy": 0.5}


def test_the_nearest_name_answers():
    between = "It rained for weeks after that night, and nobody looked up."
    passage = f"Ida Moreau saw the comet in 1902. {between} The school in Lyon was built by Karl Brandt."
    assert nearest(Question(passage, "Who saw the comet?")) == "Ida Moreau"
    assert nearest(Question(passage, "Who built the school in Lyon?")) == "Karl Brandt"
    assert nearest(Question("no names here", "Who?")) == ""


def test_a_random_body_knows_nothing_of_the_other(tiny_bert):
    one, same, other = (random_weights(tiny_bert, seed) for seed in (1, 1, 2))
    for name, parameter in one.network.named_parameters():
        assert torch.equal(parameter, dict(same.network.named_parameters())[name])
        if parameter.ndim > 1:
            theirs = dict(tiny_bert.network.named_parameters())[name]
            assert not torch.equal(parameter, theirs)
            assert not torch.equal(parameter, dict(other.network.named_parameters())[name])
    assert one.network.norm.weight.eq(1).all() and one.network.norm.bias.eq(0).all()
    assert one.trace("the bank").hidden_states.isfinite().all()


def test_a_map_lies_on_the_one_before_it():
    generator = torch.Generator().manual_seed(0)
    points = torch.randn(20, 9, generator=generator) * torch.tensor([9.0, 5, *[0.1] * 7])
    first = project_aligned(points)
    turn, _ = torch.linalg.qr(torch.randn(9, 9, generator=generator))
    assert torch.allclose(project_aligned(points @ turn, first), first, atol=1e-3), (
        "a turned cloud is the same map"
    )
    assert project_aligned(points[:5], first).shape == (5, 2), "other dots begin a new map"
