"""A word guessed at its own place: seen, through its neighbours, and hidden."""

import pytest
import torch

from explorer.analysis import prediction
from explorer.analysis.visibility import leaking
from explorer.errors import AbilityError, TextError
from explorer.trace import Capture

TEXT = "we sat on the river bank"


def test_seen_is_the_models_own_guess_at_each_place(bert):
    found, trace = leaking.leak(bert, TEXT), bert.trace(TEXT)
    wanted = trace.logits.softmax(-1)[found.places, trace.encoding.ids[found.places]]
    torch.testing.assert_close(found.visible, wanted, atol=1e-5, rtol=1e-4)
    assert found.places == [1, 2, 3, 4, 5, 6]


def test_hidden_is_a_blank_at_each_place(bert):
    found, words = leaking.leak(bert, TEXT), TEXT.split()
    for i, word in enumerate(words):
        blank = " ".join([*words[:i], "[MASK]", *words[i + 1 :]])
        wanted = prediction.blanks(bert, blank).probabilities[0, bert.tokenizer.id(word)]
        assert float(found.hidden[i]) == pytest.approx(float(wanted), rel=1e-3, abs=1e-6)


def states(model, word: str, layers: int) -> torch.Tensor:
    """The state at the third place, where only the neighbours have read the word that stands there."""
    encoding = model.encode(f"we sat {word} the river bank")
    (trace,) = model.trace_encodings([encoding], Capture.HIDDEN)
    masked = [leaking._masked(model, encoding, 3)]
    edit = leaking._all_know_but_one(trace.hidden_states, [3])
    return model.trace_encodings(masked, Capture.HIDDEN, edit)[0].hidden_states[layers, 3]


def test_it_takes_two_layers_for_a_word_to_come_back(bert):
    one, other = (states(bert, word, 1) for word in ("on", "walk"))
    assert torch.equal(one, other), "after one layer its place knows nothing of the word"
    one, other = (states(bert, word, 2) for word in ("on", "walk"))
    assert float((one - other).abs().max()) > 1e-4, "after two it does"


def test_a_word_alone_has_no_neighbour_but_special_tokens(bert):
    trace = bert.trace("bank")
    assert leaking.path(trace, 1) is None
    found = leaking.leak(bert, "bank")
    assert found.places == [1] and 0 < float(found.hidden[0]) < 1


def test_the_path_is_the_heaviest_of_all(bert):
    trace = bert.trace(TEXT)
    mean = trace.attention.pattern.mean(1)
    for word in range(1, 7):
        found = leaking.path(trace, word, layer=1)
        ways = {n: float(mean[1, n, word] * mean[2, word, n]) for n in range(1, 7) if n != word}
        assert found.neighbour == max(ways, key=ways.get)
        assert found.there * found.back == pytest.approx(ways[found.neighbour], rel=1e-4)


def test_what_cannot_be_guessed_is_said(bert, gpt):
    with pytest.raises(TextError, match="no word to guess"):
        leaking.leak(bert, "")
    with pytest.raises(AbilityError):
        leaking.leak(gpt, TEXT)
