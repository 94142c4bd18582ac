"""The page of causes: the map fills in, a state is chosen, and what cannot be compared says why."""

from functools import partial

import pytest
import torch

from explorer.analysis import patching
from explorer.views.frame.presets import presets_in_row
from explorer.views.why import page, patch_run
from tests.shared_models import model
from tests.views import opening
from tests.views.opening import printed_result, sent, told

KEYS = {
    "model": "bert",
    "first": "The keys to the old cabinet [MASK] lost.",
    "second": "The key to the old cabinet [MASK] lost.",
}
run = partial(opening.opened, "why")


def finished(**link):
    """The page when all layers are exact: on the server nobody asks for more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(patch_run, "SLICE_S", 600.0)
        at = run(**link)
        at.session_state[patch_run.SESSION_KEY].extend(600.0)
        at.run()
    assert not at.exception
    return at


@pytest.fixture(autouse=True)
def nothing_kept():
    patch_run._finished.clear()


def test_the_map_is_estimated_first_and_then_exact():
    at = run(**KEYS)
    (first,) = sent(at, "patch_map")
    assert first["exact"] == [] and first["run"] > 0
    (data,) = sent(finished(**KEYS), "patch_map")
    network = model("bert")
    pair = patching.contrast(network, KEYS["first"], KEYS["second"])
    share = patching.patch_states(network, pair).share
    torch.testing.assert_close(torch.tensor(data["share"]), share, atol=1e-3, rtol=0)
    assert data["exact"] == [*range(6)] and data["run"] == 0
    assert [token["first"] for token in data["tokens"] if token["differs"]] == ["keys"]


@pytest.mark.slow
@pytest.mark.parametrize("values", [preset.values for preset in presets_in_row("why", "where")], ids=str)
def test_every_preset_draws_its_map_and_prints_its_numbers(values):
    opening.skip_without_weights(page.PAGE.views["where"])
    at = finished(**{name: value for name, value in values.items() if name != "view"})
    (data,) = sent(at, "patch_map")
    assert torch.tensor(printed_result(at)).allclose(torch.tensor(data["share"]), atol=2e-3)


def test_a_chosen_state_says_what_it_changes():
    at = run(**KEYS, cell=[0, 2])
    assert "With the state of layer 1 at “keys” from the first prompt" in told(at)
    before, after = sent(at, "bars")
    assert before["rows"] != after["rows"]


@pytest.mark.parametrize("cell", [[9, 0], [0, 99], "x", [1]])
def test_a_state_that_is_not_there_is_not_chosen(cell):
    assert "Click a cell" in told(run(**KEYS, cell=cell))


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"second": KEYS["first"]}, "same"),
        ({"second": ""}, "A prompt is empty."),
        ({"second": "The very old key to the old cabinet [MASK] lost."}, "The prompts have"),
        ({"second": "The boats to the old cabinet [MASK] lost."}, "Both prompts are answered by"),
        ({"second": "The key to the old cabinet is lost."}, "[MASK]"),
        ({"second": "key " * 40 + "[MASK]"}, "tokens"),
    ],
)
def test_prompts_that_cannot_be_compared_say_why(values, problem):
    at = run(**KEYS | values)
    assert problem in told(at)
    assert not sent(at, "patch_map")


def test_noise_takes_the_place_of_the_second_prompt():
    at = run(**KEYS, noise=True, subject="keys")
    (data,) = sent(at, "patch_map")
    assert data["noise"] and [token["first"] for token in data["tokens"] if token["differs"]] == ["keys"]
    assert "does not" in told(run(**KEYS, noise=True, subject="zebra"))


def test_an_answer_that_is_named_is_compared():
    (data,) = sent(run(**KEYS, answer="are", instead="is"), "patch_map")
    assert [answer["word"] for answer in data["answers"]] == ["are", "is"]
