"""The logit lens over a whole text against a plain loop over layers and positions."""

import pytest
import torch

from explorer.analysis.prediction import text_lens
from explorer.errors import AbilityError
from explorer.trace import Capture

TEXTS = [("gpt", "the walk on the bank"), ("bert", "we [MASK] on the bank.")]


@pytest.mark.parametrize(("name", "text"), TEXTS)
@pytest.mark.parametrize("rows", [1, 20, 1000])
@pytest.mark.parametrize("word", [None, 7])
def test_it_is_a_plain_loop(request, monkeypatch, name, text, rows, word):
    model = request.getfixturevalue(name)
    monkeypatch.setattr(text_lens, "ROWS", rows)
    lens = text_lens.over_text(model, text, word=word)
    states = model.trace(text, capture=Capture.HIDDEN).hidden_states
    assert len(lens.ids) == len(states)
    for layer, state in enumerate(states):
        for at, row in enumerate(state):
            shares = model.unembed(row).softmax(-1)
            best = shares.sort(descending=True).values[: text_lens.TOP]
            torch.testing.assert_close(lens.probabilities[layer, at], best)
            torch.testing.assert_close(shares[lens.ids[layer, at]], best)
            entropy = -(shares * shares.log2()).sum()
            torch.testing.assert_close(lens.entropy[layer, at], entropy, atol=1e-4, rtol=1e-4)
            target = int(model.unembed(states[-1, at]).argmax()) if word is None else word
            assert lens.rank[layer, at] == int((shares > shares[target]).sum()) + 1
            torch.testing.assert_close(lens.chance[layer, at], shares[target])


def test_the_last_layers_come_first_and_join_to_all(gpt, monkeypatch):
    monkeypatch.setattr(text_lens, "ROWS", 1)
    parts = list(text_lens.slices(gpt, text_lens.read_text(gpt, "the walk")))
    assert [part.first for part in parts] == [*range(gpt.config.layers, -1, -1)]
    some, every = text_lens.joined(parts[:2]), text_lens.joined(parts)
    assert some.first == gpt.config.layers - 1 and some.ids.equal(every.ids[some.first :])


def test_an_answer_settles_where_it_stays(gpt):
    lens = text_lens.over_text(gpt, "the walk on the bank")
    best = lens.ids[..., 0]
    for at, first in enumerate(lens.settled()):
        assert (lens.rank[first:, at] == 1).all() and (best[first:, at] == best[-1, at]).all()
        assert first == 0 or best[first - 1, at] != best[-1, at]


def test_what_guesses_no_words_says_so(encoder):
    with pytest.raises(AbilityError):
        text_lens.over_text(encoder, "a bank")
