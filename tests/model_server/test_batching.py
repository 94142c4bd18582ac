"""Passes of several visitors made as one are each what they are alone."""

import pytest
import torch

import explorer
from explorer.errors import FormatError
from explorer.model_server.batching import PassRequest, as_pass, groups, run_together
from explorer.model_server.served import ServedModel
from explorer.models.padding import padded
from explorer.trace import Capture
from tests.model_server.conftest import running
from tests.models import bilm

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
TEXTS = ["the bank", "the old bank by the river was deep", "we", "light on the water"]


def pass_request(model, *texts, capture=Capture.ALL, at=None):
    """The pass that a client requests for some texts together."""
    ids, masks = padded([model.encode(text) for text in texts], model.tokenizer.padding, model.device)
    tensors = {"ids": ids, "at": at, **masks}
    tensors = {name: tensor for name, tensor in tensors.items() if tensor is not None}
    return PassRequest.parse(tensors, {"capture": capture.value})


def equal(one, other):
    for name in ("last", "hidden_states", "heads", "logits"):
        a, b = getattr(one, name), getattr(other, name)
        assert (a is None) == (b is None), name
        if name == "heads" and a is not None:
            a, b = ([tensor for heads in side for tensor in vars(heads).values()] for side in (a, b))
        torch.testing.assert_close(a, b, **CLOSE)


def equal_to_each_alone(model, requests):
    for request, answer in zip(requests, run_together(model, requests), strict=True):
        (alone,) = run_together(model, [request])
        equal(as_pass(answer), as_pass(alone))


@pytest.mark.parametrize("name", ["tiny_bert", "tiny_gpt"])
@pytest.mark.parametrize("capture", [Capture.ALL, Capture.HIDDEN, Capture.NONE])
def test_each_gets_its_own_rows_without_the_padding(request, name, capture):
    model = request.getfixturevalue(name)
    requests = [pass_request(model, *TEXTS[:2], capture=capture)]  # one that has padding of its own
    requests += [pass_request(model, text, capture=capture) for text in TEXTS]
    assert len(groups(requests)) == 1
    equal_to_each_alone(model, requests)


@pytest.mark.parametrize("name", ["tiny_bert", "tiny_gpt"])
def test_states_at_some_positions(request, name):
    model = request.getfixturevalue(name)
    at = torch.tensor([[5, 2, 3]])
    whole = as_pass(run_together(model, [pass_request(model, TEXTS[1], capture=Capture.HIDDEN)])[0])
    request = pass_request(model, TEXTS[1], capture=Capture.HIDDEN, at=at)
    answer = as_pass(run_together(model, [pass_request(model, TEXTS[0]), request])[1])
    torch.testing.assert_close(answer.last, whole.last[:, at[0]], **CLOSE)
    torch.testing.assert_close(
        answer.hidden_states, [state[:, at[0]] for state in whole.hidden_states], **CLOSE
    )


def test_what_differs_in_kind_or_length_is_run_apart(tiny_bert):
    short, long = pass_request(tiny_bert, "the"), pass_request(tiny_bert, "the bank " * 25)
    other = pass_request(tiny_bert, "the", capture=Capture.HIDDEN)
    assert sorted(map(sorted, groups([short, long, other, short], most=100))) == [[0, 3], [1], [2]]
    assert groups([long] * 5, most=110) == [[0, 1], [2, 3], [4]]


def test_an_error_concerns_its_own_group(tiny_bert, monkeypatch):
    forward = tiny_bert.network.forward
    broken = ValueError("this one fails")

    def fails(ids, **options):
        if options["capture"] is Capture.HIDDEN:
            raise broken
        return forward(ids, **options)

    monkeypatch.setattr(tiny_bert.network, "forward", fails)
    first, second = (pass_request(tiny_bert, "the", capture=c) for c in (Capture.NONE, Capture.HIDDEN))
    answers = run_together(tiny_bert, [second, first])
    assert answers[0] is broken and answers[1]["last"].shape == (1, 3, 35)


def test_a_model_that_spells_its_words(tmp_path):
    bilm.write(tmp_path)
    near = explorer.load(tmp_path)
    with running(ServedModel("elmo", near, tmp_path)) as at:
        far = explorer.load(f"serve:{at}/elmo")
        assert far.abilities == near.abilities
        for one, other in zip(far.trace_many(TEXTS), near.trace_many(TEXTS), strict=True):
            torch.testing.assert_close(one.hidden_states, other.hidden_states, **CLOSE)
            assert one.tokens == other.tokens
        with pytest.raises(FormatError, match="there are 261"):
            far.network(torch.full((1, 2, near.config.characters), 261))
    equal_to_each_alone(near, [pass_request(near, text, capture=Capture.HIDDEN) for text in TEXTS])
