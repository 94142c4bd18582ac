"""Two patterns laid beside each other, worked by hand."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.attention.comparison import align, by_word, changes, compare, compare_traces, ordinary
from explorer.errors import AbilityError, ExplorerError
from explorer.trace import Capture

HERE = torch.tensor([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [1.0, 0.0, 0.0]])
THERE = torch.tensor([[0.4, 0.6], [0.9, 0.1]])


def test_words_are_paired_in_order():
    assert align(["The", "dog"], ["the", "dog"]) == [(0, 0), (1, 1)]
    assert align(["too", "tired"], ["too", "wide"]) == [(0, 0), (1, 1)]
    assert align(["a", "b", "c"], ["a", "c"]) == [(0, 0), (1, None), (2, 1)]
    uneven = [(0, 0), (1, None), (2, None), (None, 1), (3, 2)]
    assert align(["a", "x", "y", "b"], ["a", "z", "b"]) == uneven
    assert align([], ["a"]) == [(None, 0)]
    assert align([], []) == []


@given(st.lists(st.sampled_from("abcd"), max_size=7), st.lists(st.sampled_from("abcd"), max_size=7))
def test_every_word_stands_in_one_pair_and_in_order(first, second):
    pairs = align(first, second)
    assert [i for i, _ in pairs if i is not None] == list(range(len(first)))
    assert [j for _, j in pairs if j is not None] == list(range(len(second)))


def test_a_difference_by_hand():
    found = compare(HERE, THERE, [(0, 0), (1, None), (2, 1)])
    nan = torch.nan
    torch.testing.assert_close(found.first, HERE)
    torch.testing.assert_close(
        found.second, torch.tensor([[0.4, nan, 0.6], [nan, nan, nan], [0.9, nan, 0.1]]), equal_nan=True
    )
    torch.testing.assert_close(
        found.difference, torch.tensor([[-0.1, nan, 0.4], [nan, nan, nan], [-0.1, nan, 0.1]]), equal_nan=True
    )


def test_a_pattern_beside_itself_does_not_differ():
    found = compare(HERE, HERE, [(0, 0), (1, 1), (2, 2)])
    assert found.difference.abs().sum() == 0
    assert changes(HERE[None, None], HERE[None, None], found.pairs).tolist() == [[0.0]]


def test_traces_are_compared_word_by_word_and_say_what_the_patterns_are_of(bert, gpt):
    first, second = bert.trace("we sat on the bank"), gpt.trace("we sat on the old bank")
    comparison = compare_traces(first, second, layer=0, head=1, other_layer=2)
    assert comparison.words == ["we", "sat", "on", "the", "old", "bank"]
    here, there = by_word(first), by_word(second)
    torch.testing.assert_close(comparison.first[:4, :4], ordinary(here, here.pattern[0, 1])[1][:4, :4])
    torch.testing.assert_close(comparison.second, ordinary(there, there.pattern[2, 1])[1])
    assert [(side.checkpoint, side.layer, side.head) for side in comparison.sides] == [
        (str(bert.checkpoint), 0, 1),
        (str(gpt.checkpoint), 2, 1),
    ]
    mean = compare_traces(first, first, layer=1, hide_special=False)
    torch.testing.assert_close(mean.first, here.pattern[1].mean(0))
    assert len(mean.words) == len(comparison.words) + 1


def test_the_weight_that_moved_by_hand():
    # Row 0: .1 and .3 lost, .4 gained: .4 moved. Row 2: .1 lost, .1 gained.
    moved = changes(HERE[None, None], THERE[None, None], [(0, 0), (1, None), (2, 1)])
    torch.testing.assert_close(moved, torch.tensor([[0.25]]))
    assert changes(HERE[None, None], THERE[None, None], [(0, None), (None, 0)]).isnan().all()


def test_pieces_make_words_and_rows_stay_whole(bert, gpt):
    text = "we unbelievable walking bank"
    for model in (bert, gpt):
        trace = model.trace(text)
        found = by_word(trace)
        assert [w for w, s in zip(found.words, found.special) if not s] == text.split()
        layers, heads = trace.attention.pattern.shape[:2]
        assert found.pattern.shape == (layers, heads, len(found.words), len(found.words))
        torch.testing.assert_close(found.pattern.sum(-1), torch.ones(found.pattern.shape[:-1]))
        kept, rescaled = ordinary(found, found.pattern.mean(1))
        assert kept == text.split() and rescaled.shape == (layers, 4, 4)
        torch.testing.assert_close(rescaled.sum(-1), torch.ones(layers, 4))
    first, second = by_word(bert.trace(text)), by_word(gpt.trace(text))
    pairs = align(first.words, second.words)
    assert len([p for p in pairs if None not in p]) == 4, "[CLS] and [SEP] are BERT's alone"


def test_no_attention_in_the_trace(bert):
    with pytest.raises(AbilityError):
        by_word(bert.trace("we", capture=Capture.HIDDEN))


@pytest.mark.parametrize(
    ("layer", "head", "kind"), [(99, 0, "layer 99"), (-1, 0, "layer -1"), (0, 99, "head 99")]
)
def test_a_layer_or_a_head_that_is_not_there_is_named_with_what_there_is(bert, layer, head, kind):
    trace = bert.trace("It rains.")
    with pytest.raises(ExplorerError, match=f"bert has no {kind}.*counted from 0"):
        compare_traces(trace, trace, layer=layer, head=head)
