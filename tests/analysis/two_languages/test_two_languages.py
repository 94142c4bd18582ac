"""Two languages: vectors whose geometry is known beforehand, and a tiny model's own."""

from dataclasses import replace

import pytest
import torch

from explorer.analysis.two_languages import retrieval, vectors, zero_shot
from explorer.errors import AbilityError, ExplorerError
from explorer.finetuning import frozen
from explorer.trace import Ability

CLASSES = ("food", "travel", "school")
DEPTH, WIDTH = 2, 12


def language(seed: int, moved: torch.Tensor | float = 0.0, each: int = 20):
    """Texts of three classes around centres that all languages share, the whole moved somewhere."""
    centres = 3 * torch.eye(len(CLASSES), WIDTH)
    noise = torch.randn(len(CLASSES) * each, DEPTH, WIDTH, generator=torch.Generator().manual_seed(seed))
    labels = [label for label in CLASSES for _ in range(each)]
    return centres.repeat_interleave(each, 0)[:, None] + 0.3 * noise + moved, labels


def test_a_text_is_the_mean_of_its_own_tokens(tiny_bert):
    texts = ["the bank by the river", "light", "we saw the deep old river in the light"]
    found = vectors.means(tiny_bert, texts)
    for text, one in zip(texts, found, strict=True):
        hidden = tiny_bert.trace(text).hidden_states
        torch.testing.assert_close(one, hidden[:, 1:-1].mean(1), atol=1e-5, rtol=1e-5)


def test_vectors_need_states(tiny_bert):
    with pytest.raises(AbilityError, match="compare sentences"):
        vectors.means(replace(tiny_bert, abilities=Ability.FILL), ["the bank"])


def test_the_translation_is_nearest():
    made = torch.randn(7, 2, 5, generator=torch.Generator().manual_seed(0))
    assert retrieval.accuracy(made, made * 3).tolist() == [1, 1]
    swapped = made[[1, 0, 2, 3, 4, 5, 6]]
    assert retrieval.accuracy(made, swapped).tolist() == pytest.approx([5 / 7] * 2)
    assert retrieval.nearest(made, swapped)[0].tolist() == [False, False, *[True] * 5]
    assert retrieval.accuracy(made, made[:1].expand(7, -1, -1)).tolist() == [0, 0], "ties are wrong"


def test_what_is_learnt_in_one_language_holds_in_another_of_the_same_space():
    (learnt, labels), (asked, truth) = language(0), language(1)
    for one in zero_shot.classify_by_layer(learnt, labels, asked, truth):
        assert one.accuracy > 0.95 and one.home > 0.95
        low, high = one.interval
        assert low < one.accuracy <= high
        assert one.right == tuple(said == label for said, label in zip(one.predictions, truth, strict=True))


def test_a_language_moved_as_a_whole_is_found_again_without_its_mean():
    moved = torch.zeros(WIDTH)
    moved[0] = 9.0  # towards the first class: everything looks like food
    (learnt, labels), (asked, truth) = language(0), language(1, moved)
    apart = zero_shot.classify(learnt[:, 0], labels, asked[:, 0], truth)
    assert set(apart.predictions) == {"food"} and apart.home > 0.95
    together = [vectors.centre(one)[:, 0] for one in (learnt, asked)]
    assert zero_shot.classify(together[0], labels, together[1], truth).accuracy > 0.95


def test_an_answer_does_not_depend_on_what_else_is_asked():
    (learnt, labels), (asked, truth) = language(0), language(1, 2.0)
    whole = zero_shot.classify(learnt[:, 0], labels, asked[:, 0], truth)
    few = zero_shot.classify(learnt[:, 0], labels, asked[5:9, 0], truth[5:9])
    assert few.predictions == whole.predictions[5:9]


def test_texts_that_are_alike_are_kept_aside_together():
    generator = torch.Generator().manual_seed(0)
    twins = torch.randn(30, 40, generator=generator).repeat_interleave(2, 0)
    labels = [label for i in range(30) for label in [("yes", "no")[i % 2]] * 2]
    groups = [i // 2 for i in range(60)]
    assert zero_shot.classify(twins, labels, twins, labels).home > 0.9, "the twin gives it away"
    assert zero_shot.classify(twins, labels, twins, labels, groups).home < 0.75, "random vectors tell nothing"


@pytest.mark.parametrize("labels", [["yes"] * 4, ["yes", "yes", "yes", "no"]])
def test_a_class_needs_more_than_one_text(labels):
    with pytest.raises(ExplorerError, match="two texts of each"):
        zero_shot.classify(torch.eye(4), labels, torch.eye(4), labels)


def test_the_interval_is_wilsons():
    square = 1.959964**2
    assert zero_shot.wilson(0, 240) == pytest.approx((0, square / (240 + square)))
    low, high = zero_shot.wilson(120, 240)
    assert low + high == pytest.approx(1) and high - low == pytest.approx((square / (240 + square)) ** 0.5)


def test_the_penalty_is_that_of_all_frozen_heads():
    assert zero_shot.DECAY == frozen.DECAY
