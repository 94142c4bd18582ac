"""What a head computes, number by number, is what the network computed."""

import pytest
import torch

from explorer.analysis.attention.inside_head import InsideHead, inside
from explorer.errors import AbilityError
from explorer.trace import Capture

TEXT = "we sat on the bank"


def test_two_tokens_by_hand():
    head = InsideHead(
        layer=0,
        head=0,
        inputs=torch.zeros(2, 3),
        queries=torch.tensor([[1.0, 2.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0]]),
        keys=torch.tensor([[3.0, 0.5, 7.0, 2.0], [1.0, 1.0, 1.0, 1.0]]),
        values=torch.tensor([[4.0, 0.0, 0.0, 8.0], [0.0, 2.0, 0.0, 0.0]]),
        allowed=torch.ones(2, 2, dtype=torch.bool),
        weights=torch.tensor([[0.25, 0.75], [0.5, 0.5]]),
    )
    assert head.scale == 2.0
    assert head.products(0, 0).tolist() == [3.0, 1.0, 0.0, -2.0]
    assert head.scores(0).tolist() == [1.0, 1.0]
    assert head.weighted(0, 0).tolist() == [1.0, 0.0, 0.0, 2.0]
    assert head.output(0).tolist() == [1.0, 1.5, 0.0, 2.0]


@pytest.mark.parametrize("which", ["bert", "gpt"])
def test_the_steps_lead_to_the_networks_weights_and_output(which, request):
    model = request.getfixturevalue(which)
    seen = {}

    def watch(site, layer, tensor):
        seen[site, layer] = tensor[0]
        return tensor

    trace = model.trace(TEXT, edit=watch)
    for layer, head in ((0, 1), (2, 0)):
        found = inside(trace, layer, head)
        torch.testing.assert_close(found.inputs, trace.hidden_states[layer])
        for query in range(len(trace.tokens)):
            scores = found.scores(query).masked_fill(~found.allowed[query], -torch.inf)
            torch.testing.assert_close(scores.softmax(0), found.weights[query], atol=1e-5, rtol=1e-4)
            torch.testing.assert_close(
                found.scores(query), seen["scores", layer][head, query], atol=1e-5, rtol=1e-4
            )
            parts = torch.stack([found.weighted(query, key) for key in range(len(trace.tokens))])
            handed_on = seen["head_output", layer][head, query]
            torch.testing.assert_close(parts.sum(0), handed_on, atol=1e-5, rtol=1e-4)
            torch.testing.assert_close(found.output(query), handed_on, atol=1e-5, rtol=1e-4)


def test_a_left_to_right_model_may_not_read_ahead(bert, gpt):
    assert inside(bert.trace(TEXT), 0, 0).allowed.all()
    allowed = inside(gpt.trace(TEXT), 0, 0).allowed
    assert allowed.equal(torch.ones_like(allowed).tril())


@pytest.mark.parametrize("capture", [Capture.HIDDEN, Capture.ATTENTION])
def test_a_trace_that_lacks_a_part(bert, capture):
    with pytest.raises(AbilityError):
        inside(bert.trace("we", capture=capture), 0, 0)
