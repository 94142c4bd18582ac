"""A pass that a client asks for."""

import pytest
import torch

import explorer
from explorer.errors import FormatError
from explorer.model_server.passes import PassRequest, as_pass, run
from explorer.model_server.served import ServedModel
from explorer.trace import Capture
from tests.model_server.conftest import running
from tests.models import bilm

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
TEXTS = ["the bank", "the old bank by the river was deep", "we", "light on the water"]


def pass_request(model, text, at=None):
    """The pass that a client requests for a text, perhaps for the states at some positions alone."""
    tensors = {"ids": model.encode(text).ids[None]} | ({} if at is None else {"at": at})
    return PassRequest.parse(tensors, {"capture": Capture.HIDDEN.value})


@pytest.mark.parametrize("name", ["tiny_bert", "tiny_gpt"])
def test_states_at_some_positions(request, name):
    model = request.getfixturevalue(name)
    at = torch.tensor([[5, 2, 3]])
    whole = as_pass(run(model, pass_request(model, TEXTS[1])))
    answer = as_pass(run(model, pass_request(model, TEXTS[1], at)))
    torch.testing.assert_close(answer.last, whole.last[:, at[0]], **CLOSE)
    torch.testing.assert_close(
        answer.hidden_states, [state[:, at[0]] for state in whole.hidden_states], **CLOSE
    )


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
