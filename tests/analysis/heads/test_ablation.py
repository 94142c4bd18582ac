"""Heads switched off: the same as taking them out of the weights by hand."""

import copy

import pytest
import torch

import explorer
from explorer.analysis.heads import ablation
from explorer.errors import AbilityError, TextError
from explorer.trace import Capture
from tests.analysis.heads import known

TEXT = "We saw the [MASK] by the old river."
PLAIN = "we saw the river by the old bank"


def by_hand(model, heads, method, means=None):
    """A copy of the network without some heads, in its weights."""
    network = copy.deepcopy(model.network)
    d_model = model.config.d_model
    width = d_model // model.config.heads
    with torch.no_grad():
        for layer, head in heads:
            attention = network.blocks[layer].attention
            own = slice(head * width, (head + 1) * width)
            if method == "uniform":  # a query of 0 scores every key 0
                attention.qkv.weight[own] = 0
                attention.qkv.bias[own] = 0
                continue
            if method == "mean":
                attention.output.bias += attention.output.weight[:, own] @ means[layer, head]
            attention.output.weight[:, own] = 0
    return network


@pytest.fixture(params=["tiny_bert", "tiny_gpt"])
def model(request):
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("method", ablation.METHODS)
@pytest.mark.parametrize("heads", [[(0, 1)], [(2, 0), (1, 2), (2, 2)]])
def test_an_edit_equals_the_weights_changed_by_hand(model, method, heads):
    means = ablation.mean_outputs(model, [PLAIN, "the water was deep"])
    encoding = model.encode(TEXT)
    ids, segments = encoding.ids[None], encoding.segments[None]
    with torch.no_grad():
        wanted = by_hand(model, heads, method, means)(ids, segments=segments, capture=Capture.LOGITS).logits[
            0
        ]
    off = ablation.switch_off(heads, method, means)
    found = model.trace_encodings([encoding], Capture.LOGITS, off)[0].logits
    assert (found.softmax(-1) - wanted.softmax(-1)).abs().max() <= 1e-6
    plain = model.trace_encodings([encoding], Capture.LOGITS)[0].logits
    assert (found - plain).abs().max() > 1e-3, "the heads do something"


@pytest.mark.parametrize("method", ablation.METHODS)
def test_a_batch_with_padding_gives_each_row_its_own(model, method):
    off = ablation.switch_off([(0, 0), (1, 1)], method, ablation.mean_outputs(model, [PLAIN]))
    encodings = [model.encode(text) for text in (PLAIN, "the bank")]
    together = model.trace_encodings(encodings, Capture.HIDDEN, off)
    for encoding, one in zip(encodings, together):
        alone = model.trace_encodings([encoding], Capture.HIDDEN, off)[0]
        torch.testing.assert_close(one.hidden_states, alone.hidden_states, atol=1e-5, rtol=1e-5)


def test_uniform_is_even_over_what_a_head_may_see(tiny_gpt):
    off = ablation.switch_off([(1, 2)], "uniform")
    found = tiny_gpt.trace_encodings([tiny_gpt.encode(PLAIN)], Capture.ATTENTION, off)[0].attention.pattern
    rows = torch.ones(found.shape[-1], found.shape[-1]).tril()
    torch.testing.assert_close(found[1, 2], rows / rows.sum(-1, keepdim=True))
    assert (found[1, 1] - found[1, 2]).abs().max() > 1e-3, "the others stay as they were"


def test_mean_outputs_count_every_token_once(tiny_bert):
    texts = ["we saw the bank", "the old river was deep"]
    outputs = [(a.pattern @ a.values) for a in (tiny_bert.trace(t).attention for t in texts)]
    torch.testing.assert_close(ablation.mean_outputs(tiny_bert, texts), torch.cat(outputs, 2).mean(2))


def test_without_its_partner_an_induction_head_is_blind(tmp_path):
    known_gpt = known.build(tmp_path)
    encoding = known_gpt.encode("the old dog saw the old")
    off = ablation.switch_off([(0, 0)])  # looks one back, and writes what it saw
    with_, without = (
        known_gpt.trace_encodings([encoding], Capture.ATTENTION, edit)[0].attention.pattern[1, 1]
        for edit in (None, off)
    )
    last = max(i for i, token in enumerate(encoding.tokens) if token == "old")
    target = encoding.tokens.index("dog")
    assert with_[last, target] > 0.9 > 0.5 > without[last, target]


def test_what_is_asked_and_what_is_answered(tiny_bert, tiny_gpt):
    question = ablation.ask(tiny_bert, "the [MASK] of the [MASK].", which=1)
    assert question.encoding.tokens[question.position] == "[MASK]"
    assert question.position > ablation.ask(tiny_bert, "the [MASK] of the [MASK].").position
    wanted = tiny_bert.trace("the [MASK] of the [MASK].").logits[question.position].softmax(-1)
    torch.testing.assert_close(ablation.answer(tiny_bert, question), wanted, atol=1e-6, rtol=1e-4)

    long = PLAIN + " the river" * 40
    question = ablation.ask(tiny_gpt, long, limit=11)
    assert len(question.encoding) == 11 and question.position == 10 and question.encoding.truncated > 0
    assert question.encoding.ids.tolist() == tiny_gpt.tokenizer.encode(long).ids[-11:].tolist()
    assert ablation.ask(tiny_gpt, "").position == 0


def test_what_cannot_be_asked(tiny_bert):
    with pytest.raises(TextError, match="no \\[MASK\\]"):
        ablation.ask(tiny_bert, PLAIN)
    with pytest.raises(TextError, match="it comes after the 5 tokens"):
        ablation.ask(tiny_bert, f"{PLAIN} [MASK]", limit=5)
    with pytest.raises(TextError, match="cannot be switched off by"):
        ablation.switch_off([(0, 0)], "hammer")
    with pytest.raises(TextError, match="mean output"):
        ablation.switch_off([(0, 0)], "mean")
    with pytest.raises(AbilityError, match="no heads"):
        ablation.ask(explorer.load("word2vec"), TEXT)


def test_changes_are_those_of_both_sides(tiny_bert):
    size = tiny_bert.config.d_vocab
    before, after = torch.zeros(size), torch.zeros(size)
    before[[7, 8, 9]] = torch.tensor([0.5, 0.3, 0.2])
    after[[9, 11, 7]] = torch.tensor([0.6, 0.3, 0.1])
    found = ablation.changes(tiny_bert, before, after, top=2)
    assert [one.id for one in found] == [7, 8, 9, 11]
    assert [(one.rank_before, one.rank_after) for one in found] == [(1, 3), (2, 4), (3, 1), (4, 2)]
    assert found[0].token == tiny_bert.tokenizer.readable(7)
    assert ablation.moved(before, after) == pytest.approx(0.7), "0.4 and 0.3 went, 0.4 and 0.3 came"
    assert ablation.moved(before, before) == 0
