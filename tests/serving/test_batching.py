"""Passes of several visitors made as one are each what they are alone."""

import pytest
import torch

import explorer
from explorer.errors import FormatError
from explorer.models.padding import padded
from explorer.serving.batching import Asked, run_together, together, understood
from explorer.serving.served import Served
from explorer.trace import Capture
from tests.models import bilm
from tests.serving.conftest import running

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
TEXTS = ["the bank", "the old bank by the river was deep", "we", "light on the water"]


def asked(model, *texts, capture=Capture.ALL, at=None):
    """The pass that a client asks for, for some texts together."""
    ids, masks = padded([model.encode(text) for text in texts], model.tokenizer.padding, model.device)
    return Asked(ids, masks["segments"], masks["mask"], at, capture)


def equal(one, other):
    for name in ("last", "hidden_states", "heads", "logits"):
        a, b = getattr(one, name), getattr(other, name)
        assert (a is None) == (b is None), name
        if name == "heads" and a is not None:
            a, b = ([tensor for heads in side for tensor in vars(heads).values()] for side in (a, b))
        torch.testing.assert_close(a, b, **CLOSE)


@pytest.mark.parametrize("name", ["tiny_bert", "tiny_gpt"])
@pytest.mark.parametrize("capture", [Capture.ALL, Capture.HIDDEN, Capture.NONE])
def test_each_gets_its_own_rows_without_the_padding(request, name, capture):
    model = request.getfixturevalue(name)
    passes = [asked(model, *TEXTS[:2], capture=capture)]  # one that has padding of its own
    passes += [asked(model, text, capture=capture) for text in TEXTS]
    for one, (found, _) in zip(passes, run_together(model, passes), strict=True):
        ((alone, _),) = run_together(model, [one])
        equal(understood(found), understood(alone))


def test_places_of_unlike_numbers(tiny_bert):
    passes = [
        asked(tiny_bert, TEXTS[0], capture=Capture.HIDDEN, at=torch.tensor([[1]])),
        asked(tiny_bert, TEXTS[1], capture=Capture.HIDDEN, at=torch.tensor([[5, 2, 3]])),
    ]
    for one, (found, _) in zip(passes, run_together(tiny_bert, passes), strict=True):
        ((alone, _),) = run_together(tiny_bert, [one])
        equal(understood(found), understood(alone))
        assert understood(found).last.shape[1] == one.at.shape[1]


def test_what_is_not_of_one_kind_or_length_is_made_apart(tiny_bert):
    short, long = asked(tiny_bert, "the"), asked(tiny_bert, "the bank " * 25)
    other = asked(tiny_bert, "the", capture=Capture.HIDDEN)
    assert sorted(map(sorted, together([short, long, other, short], most=100))) == [[0, 3], [1], [2]]
    assert together([long] * 5, most=110) == [[0, 1], [2, 3], [4]]


def test_a_model_that_spells_its_words(tmp_path):
    bilm.write(tmp_path)
    near = explorer.load(tmp_path)
    with running(Served("elmo", near, tmp_path)) as at:
        far = explorer.load(f"serve:{at}/elmo")
        assert far.abilities == near.abilities
        for one, other in zip(far.trace_many(TEXTS), near.trace_many(TEXTS), strict=True):
            torch.testing.assert_close(one.hidden_states, other.hidden_states, **CLOSE)
            assert one.tokens == other.tokens
        with pytest.raises(FormatError, match="there are 261"):
            far.network(torch.full((1, 2, near.config.characters), 261))
    passes = []
    for text in TEXTS:
        ids, _ = padded([near.encode(text)], near.tokenizer.padding, near.device)
        passes.append(Asked(ids, None, None, None, Capture.HIDDEN))
    for one, (found, _) in zip(passes, run_together(near, passes), strict=True):
        ((alone, _),) = run_together(near, [one])
        equal(understood(found), understood(alone))
