"""Each preset of the continuations page makes its point on the shipped weights."""

import pytest

import explorer
from explorer.analysis.generation import Sampling, generate
from explorer.views.presets.continuations import DEFAULTS, PRESETS
from explorer.views.steps import repeated


def run(values: dict):
    """A finished continuation for a page's settings."""
    v = DEFAULTS | values
    sampling = Sampling(v["temperature"], v["top_k"] or None, v["top_p"], v["seed"], v["length"])
    generation = generate(explorer.load(v["model"]), v["text"], sampling, candidates=5)
    list(generation)
    return generation


@pytest.fixture(scope="module")
def runs():
    """The continuation of every preset."""
    return [run(preset.values) for preset in PRESETS]


def average(generation) -> float:
    return sum(step.probability for step in generation.steps) / len(generation.steps)


def share_below(generation, rank: int) -> float:
    return sum(step.rank > rank for step in generation.steps) / len(generation.steps)


def test_there_are_three():
    assert len(PRESETS) == 3


def test_always_the_best_goes_round_in_circles(runs):
    greedy = runs[0]
    assert all(step.rank == 1 for step in greedy.steps)
    assert repeated([step.id for step in greedy.steps]) > 0.3


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_too_hot_picks_from_far_down_the_list(runs, seed):
    hot, opening = run(PRESETS[1].values | {"seed": seed}), run({"length": 60, "seed": seed})
    assert average(hot) < average(opening) / 2
    assert share_below(hot, 100) > 0.4 > share_below(opening, 100)
    assert repeated([step.id for step in hot.steps]) < 0.1


def test_hot_but_top_k_1_is_the_greedy_text(runs):
    greedy, _, one_left = runs
    assert one_left.continuation == greedy.continuation
    assert all([c.chance for c in step.candidates] == [1, 0, 0, 0, 0] for step in one_left.steps)


def test_the_same_seed_gives_the_same_text_and_another_seed_another():
    assert run({"seed": 5}).text == run({"seed": 5}).text != run({"seed": 6}).text
