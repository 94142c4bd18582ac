"""Special tokens hidden, worked by hand on 3 x 3."""

import pytest
import torch

from explorer.analysis.attention.by_values import by_values, norms
from explorer.analysis.attention.weights import between_words, head_view, patterns, without_special
from explorer.errors import AbilityError
from explorer.trace import Attention, Capture, Encoding, Trace

PATTERN = torch.tensor([[0.5, 0.3, 0.2], [0.6, 0.1, 0.3], [1.0, 0.0, 0.0]])
SPECIAL = torch.tensor([True, False, False])


def test_three_by_three():
    found = without_special(PATTERN, SPECIAL)
    torch.testing.assert_close(found, torch.tensor([[0.25, 0.75], [0.0, 0.0]]))


def test_nothing_special_changes_nothing():
    torch.testing.assert_close(without_special(PATTERN, torch.zeros(3, dtype=torch.bool)), PATTERN)


def test_everything_special_leaves_nothing():
    assert without_special(PATTERN, torch.ones(3, dtype=torch.bool)).shape == (0, 0)


def test_all_layers_and_heads_at_once(bert):
    trace = bert.trace("we sat on the bank")
    found = without_special(trace.attention.pattern, trace.encoding.special)
    assert found.shape == (3, 2, 5, 5)
    torch.testing.assert_close(found.sum(-1), torch.ones(3, 2, 5))
    torch.testing.assert_close(found[1, 1], head_view(trace, 1, 1, hide_special=True).pattern)


def test_head_view_says_what_it_dropped(bert):
    trace = bert.trace("we sat")
    whole = head_view(trace, 2, 1)
    assert whole.tokens == ["[CLS]", "we", "sat", "[SEP]"] and whole.positions == [0, 1, 2, 3]
    assert whole.dropped_mass.tolist() == [0, 0, 0, 0]
    view = head_view(trace, 2, 1, hide_special=True)
    assert view.tokens == ["we", "sat"] and view.positions == [1, 2]
    torch.testing.assert_close(view.dropped_mass, whole.pattern[1:3, [0, 3]].sum(-1))


def test_no_attention_in_the_trace(bert):
    with pytest.raises(AbilityError):
        head_view(bert.trace("we", capture=Capture.HIDDEN), 0, 0)


def by_hand(pattern, special, tokens):
    """A trace of one layer and one head with this pattern; `##` glues a token to the one before it."""
    spans, start = [], 0
    for token in tokens:
        bare = token.removeprefix("##")
        start += (not token.startswith("##")) and bool(spans)
        spans.append((start, start + len(bare)))
        start += len(bare)
    text = "".join(
        (" " * (spans[i][0] > spans[i - 1][1]) if i else "") + t.removeprefix("##")
        for i, t in enumerate(tokens)
    )
    encoding = Encoding(
        text, tokens, torch.arange(len(tokens)), spans, special, torch.zeros(len(tokens), dtype=torch.long)
    )
    empty = torch.zeros(1, 1, len(tokens), 2)
    return Trace("hand", encoding, attention=Attention(empty, empty, empty, pattern[None, None]))


def test_pieces_are_merged_summed_to_a_word_and_averaged_from_it():
    pattern = torch.tensor([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0], [0.8, 0.0, 0.2]])
    found = patterns(
        by_hand(pattern, torch.zeros(3, dtype=torch.bool), ["old", "boat", "##s"]), 0, merge_words=True
    )
    assert found.groups == [[0], [1, 2]]
    torch.testing.assert_close(found.pattern[0], torch.tensor([[0.2, 0.8], [0.7, 0.3]]))
    assert found.dropped_mass.abs().max() == 0


def test_words_first_then_special_tokens_leave_and_rows_are_rescaled():
    pattern = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.3, 0.2], [0.9, 0.0, 0.1]])
    found = patterns(
        by_hand(pattern, SPECIAL, ["[CLS]", "boat", "##s"]), 0, hide_special=True, merge_words=True
    )
    assert found.groups == [[1, 2]]
    torch.testing.assert_close(found.pattern[0], torch.tensor([[1.0]]))
    torch.testing.assert_close(found.dropped_mass[0], torch.tensor([0.7]))


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("hide", [False, True])
def test_rows_of_any_layer_sum_to_one(bert, hide, merge):
    trace = bert.trace("the unbelievable bank of the river")
    every = patterns(trace, hide_special=hide, merge_words=merge)
    assert every.pattern.shape[:2] == (3, 2) and every.pattern.shape[-1] == len(every.groups)
    torch.testing.assert_close(every.pattern.sum(-1), torch.ones(every.pattern.shape[:-1]))
    one = patterns(trace, 1, hide, merge)
    torch.testing.assert_close(one.pattern, every.pattern[1])
    torch.testing.assert_close(one.dropped_mass, every.dropped_mass[1])
    assert (len(every.groups) < len(trace.tokens) - 2 * hide) is merge


def test_attention_between_words_leaves_special_tokens_out(tiny_bert):
    trace = tiny_bert.trace("We saw xyz by the river.")
    words, pattern = between_words(trace)
    assert [word.text for word in words] == ["We", "saw", "xyz", "by", "the", "river", "."]
    assert pattern.shape == (3, 5, 7, 7)
    full, xyz = trace.attention.pattern, words[2].positions
    assert len(xyz) == 3
    to_xyz = full[1, 2, words[0].positions[0], xyz].sum()
    torch.testing.assert_close(pattern[1, 2, 0, 2], to_xyz)
    from_xyz = full[1, 2, xyz, words[4].positions[0]].mean()
    torch.testing.assert_close(pattern[1, 2, 2, 4], from_xyz)


def test_what_a_head_brings_from_a_token_is_what_hooks_find_in_the_layers_output(bert, gpt):
    for model in (bert, gpt):
        trace = model.trace("we sat on the bank")
        lengths, shares = norms(model, trace), by_values(model, trace).attention.pattern
        torch.testing.assert_close(shares, lengths / lengths.sum(-1, keepdim=True))
        for layer, head, query, key in ((0, 0, 1, 0), (1, 1, 3, 2), (2, 0, 4, 4)):
            at, attention = (layer, head, query), trace.attention
            taken = attention.pattern[at][key] * attention.values[layer, head, key]
            written = _written(model, trace, *at, taken) - _written(model, trace, *at, 0 * taken)
            assert float(lengths[layer, head, query, key]) == pytest.approx(float(written.norm()), abs=1e-6)


def _written(model, trace, layer, head, query, vector):
    """What attention adds to a token's state if a layer's heads give 0, except for one vector of one head."""
    outputs = []

    def edit(site, at, tensor):
        if (site, at) == ("head_output", layer):
            tensor = torch.zeros_like(tensor)
            tensor[0, head, query] = vector
        elif (site, at) == ("attention_output", layer):
            outputs.append(tensor[0, query].clone())
        return tensor

    model.run(trace.encoding.ids[None], segments=trace.encoding.segments[None], edit=edit)
    return outputs[0]
