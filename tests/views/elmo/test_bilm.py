"""The drawing of ELMo's two LSTMs, run without a browser: its states and predictions are the model's."""

from functools import partial

import pytest
import torch

import explorer
from explorer.analysis import prediction
from explorer.analysis.prediction.both_readers import both_readers
from explorer.views.elmo import bilm
from explorer.views.frame.presets import presets_in_row
from explorer.views.widgets.numbers import short
from tests.views import opening
from tests.views.opening import defaults, printed_result, said, sent

opened = partial(opening.opened, "sides", view="bilm")
TEXT = defaults("elmo")["text"]


def test_states_are_the_halves_of_the_layers_and_predictions_those_of_either_side():
    model = explorer.load("elmo")
    read = both_readers(model, TEXT, 3)
    hidden = model.trace(TEXT).hidden_states
    assert torch.equal(torch.cat([read.forward, read.backward], -1), hidden)
    for at in range(1, len(read.encoding) - 1):
        expected = prediction.sides(model, TEXT, at)
        for row, own in ((read.following[at - 1], expected.left), (read.preceding[at + 1], expected.right)):
            found = prediction.words_of(model, own, 3)
            assert [one.token for one in row] == [one.token for one in found]
            assert [one.probability for one in row] == pytest.approx(
                [one.probability for one in found], abs=1e-5
            )


def test_the_drawing_has_a_state_for_each_layer_side_and_word():
    (drawn,) = sent(opened(), "bilm")
    read = both_readers(explorer.load("elmo"), TEXT)
    assert drawn["words"] == read.encoding.tokens and drawn["layers"] == 2
    for side, own in (("forward", read.forward), ("backward", read.backward)):
        boxes = torch.tensor(drawn["states"][side])
        assert boxes.shape == (3, len(drawn["words"]), bilm.CELLS)
        ratio = own[..., : bilm.CELLS] / own[..., : bilm.CELLS].abs().amax()
        torch.testing.assert_close(boxes, ratio, atol=0.006, rtol=0)
    assert drawn["guesses"]["forward"][5][0]["word"] == "side" and not drawn["guesses"]["backward"][0]
    assert drawn["locked"] == ["forward", 2, 5], "the state before the chosen word"


def test_the_words_own_rank_counts_those_ahead_of_it():
    (drawn,) = sent(opened(), "bilm")
    model = explorer.load("elmo")
    expected = prediction.sides(model, TEXT, 6)
    id = model.tokenizer.id("side")
    for side, probabilities in (("forward", expected.left), ("backward", expected.right)):
        ahead = (probabilities > probabilities[id]).tolist()
        ahead[model.tokenizer.unknown] = False  # no word, but a share for all that are not listed
        assert drawn["actual"][side][6] == {
            "probability": pytest.approx(float(probabilities[id]), abs=1e-4),
            "number": short(float(probabilities[id])),
            "rank": sum(ahead) + 1,
        }
        assert "<UNK>" not in [one["word"] for row in drawn["guesses"][side] for one in row]
    assert drawn["actual"]["forward"][0] is None and drawn["actual"]["backward"][-1] is None


def test_a_word_beyond_the_vocabulary_is_read_but_has_no_rank():
    (drawn,) = sent(opened(text="We saw a zyxwvut in the garden."), "bilm")
    assert drawn["words"][4] == "zyxwvut"
    assert drawn["actual"]["forward"][4] is drawn["actual"]["backward"][4] is None
    assert drawn["actual"]["forward"][5] is not None


def test_python_gives_the_same_predictions():
    at = opened()
    (drawn,) = sent(at, "bilm")
    result = printed_result(at)
    firsts = [row[0]["word"] for row in drawn["guesses"]["forward"] if row]
    assert [word for _, word, _ in result["after"]][: len(firsts)] == firsts


@pytest.mark.parametrize(
    ("state", "locked"),
    [
        (["backward", 2, 7], ["backward", 2, 7]),
        (["", 0, 6], ["", 0, 6]),
        (["backward", 9, 7], ["forward", 2, 5]),
        (["sideways", 1, 1], ["forward", 2, 5]),
        ("nonsense", ["forward", 2, 5]),
    ],
)
def test_a_state_in_a_link_is_checked(state, locked):
    (drawn,) = sent(opened(state=state), "bilm")
    assert drawn["locked"] == locked


def test_presets_choose_a_state_that_exists():
    for preset in presets_in_row("sides", "bilm"):
        values = {"text": TEXT, "place": 6} | preset.values
        (drawn,) = sent(opened(**values), "bilm")
        assert drawn["locked"] == values.get("state", ["forward", 2, values["place"] - 1])
        assert (
            drawn["guesses"]["forward"][values["place"] - 1]
            and drawn["guesses"]["backward"][values["place"] + 1]
        )


def test_a_link_to_the_two_lists_opens_at_their_word():
    at = opening.opened("sides", view="sides", text="He drank a glass of wine.", place=4)
    (drawn,) = sent(at, "bilm")
    assert drawn["locked"] == ["forward", 2, 3] and drawn["words"][4] == "glass"


def test_a_long_text_is_cut_and_an_empty_one_invites():
    assert "12 words are read; 68 were cut" in said(opened(text="the bank " * 40, place=999))
    assert "Type a sentence." in said(opened(text=" ")) and not sent(opened(text=" "), "bilm")
