"""Each preset of the continuations page makes its point on the shipped weights."""

import pytest

import explorer
from explorer.analysis.generation.repetition import repeated
from explorer.analysis.generation.steps import Sampling, generate
from explorer.analysis.prediction import surprisal
from explorer.views.continuations import page
from explorer.views.continuations.presets import COLOUR, SMALL_WAYS, WAYS, WRITE
from explorer.views.frame.view import settings_of

pytestmark = pytest.mark.weights

DEFAULTS = settings_of(page)
SAMPLING = WRITE[-3:]  # a fact comes first, where a model is there that knows some


def run(values: dict):
    """A finished continuation for a page's settings."""
    v = DEFAULTS | values
    sampling = Sampling(v["temperature"], v["top_k"] or None, v["top_p"], v["seed"], v["length"])
    generation = generate(explorer.load(v["model"]), v["text"], sampling, candidates=5)
    list(generation)
    return generation


@pytest.fixture(scope="module")
def runs():
    """The continuation of every preset of Write."""
    return [run(preset.values) for preset in SAMPLING]


def average(generation) -> float:
    return sum(step.probability for step in generation.steps) / len(generation.steps)


def share_below(generation, rank: int) -> float:
    return sum(step.rank > rank for step in generation.steps) / len(generation.steps)


def test_each_view_has_three_or_four():
    assert len(WRITE) in (3, 4) and len(WAYS) == len(SMALL_WAYS) == 4


def test_always_the_best_is_the_same_for_every_seed(runs):
    greedy = runs[0]
    assert all(step.rank == 1 for step in greedy.steps)
    again = run(SAMPLING[0].values | {"seed": 7})
    assert [step.id for step in again.steps] == [step.id for step in greedy.steps]


def test_too_hot_picks_from_far_down_the_list(runs):
    hot, opening = runs[1], run({"length": 60})
    assert average(hot) < average(opening) / 2
    assert share_below(hot, 100) > 0.25 and share_below(hot, 100) > 2.5 * share_below(opening, 100)
    assert repeated([step.id for step in hot.steps]) < 0.1


def test_hot_but_top_k_1_is_the_greedy_text(runs):
    greedy, _, one_left = runs
    assert one_left.continuation == greedy.continuation
    assert all([c.chance for c in step.candidates] == [1, 0, 0, 0, 0] for step in one_left.steps)


def test_the_same_seed_gives_the_same_text_and_another_seed_another():
    first, again, other = (run({"seed": seed, "length": 12}).text for seed in (5, 5, 6))
    assert first == again != other


@pytest.fixture(scope="module")
def passage():
    """The passage that Colour a text opens with, read by the shipped model."""
    return surprisal.read(explorer.load(DEFAULTS["model"]), DEFAULTS["passage"])


def test_the_elephant_surprises_most(passage):
    (best,) = surprisal.most_surprising(passage, 1)
    assert DEFAULTS["passage"][best.start : best.end] == "elephant"


def test_small_words_cost_few_bits(passage):
    text = DEFAULTS["passage"]
    ranks = {"small": [], "other": []}
    for word in surprisal.of_words(passage)[1:]:
        kind = "small" if text[word.start : word.end] in ("the", "to", "and") else "other"
        ranks[kind].append(word.rank)
    assert sum(rank <= 10 for rank in ranks["small"]) / len(ranks["small"]) > 0.8
    assert sum(rank <= 10 for rank in ranks["other"]) / len(ranks["other"]) < 0.7


def test_from_both_sides_fewer_bits(passage):
    words = surprisal.of_words(passage)
    found = surprisal.read_both_sides(explorer.load("bert"), DEFAULTS["passage"], 160)
    both = surprisal.in_words(words, *found)
    assert COLOUR[2].values["second"] == "bert" and None not in both
    assert sum(both) < sum(word.bits for word in words)


@pytest.mark.parametrize(("preset", "right"), list(zip(SMALL_WAYS, ("vinci", "bridge", "chat", "night"))))
def test_a_model_so_small_does_none_of_the_papers_tasks(preset, right):
    v = preset.values
    for sampling in (Sampling(greedy=True, max_new_tokens=v["length"]), Sampling(max_new_tokens=v["length"])):
        made = generate(explorer.load("gpt"), v["text"], sampling, candidates=1)
        list(made)
        assert right not in made.continuation.casefold()


def test_the_model_of_the_paper_is_200_times_as_large():
    parameters = sum(p.numel() for p in explorer.load("gpt").network.parameters())
    assert 1542e6 / parameters == pytest.approx(200, rel=0.2)


def test_the_prompts_of_the_paper_end_where_the_model_is_to_go_on():
    texts = [preset.values["text"] for preset in SMALL_WAYS]
    assert [text[-2:] for text in texts] == ["A:", "R:", " =", "y:"]
    assert all(len(explorer.load("gpt").tokenizer.encode(text)) < 200 for text in texts)
