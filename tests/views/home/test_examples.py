"""The code that the start page shows, run as it is printed, gives the guesses that it draws."""

from functools import partial

import pytest

from explorer.views.frame.presets import presets
from tests.views import opening
from tests.views.opening import printed_result, sent

run = partial(opening.opened, "home")


@pytest.mark.parametrize("values", [preset.values for preset in presets("home")], ids=str)
def test_the_printed_code_gives_what_is_drawn(values):
    at = run(**values)
    result = printed_result(at)
    (mount,) = sent(at, "bars")
    assert [row["token"] for row in mount["rows"]] == [token for token, _ in result]
    probabilities = [row["probability"] for row in mount["rows"]]
    assert probabilities == pytest.approx([p for _, p in result], abs=2e-3), "the opening ones are stored"


def test_without_a_blank_no_code_is_shown_and_the_ways_onward_stay():
    at = run(text="No blank here.")
    assert not any(block.language == "python" for block in at.code) and "Hide a word" in opening.said(at)


def test_the_guesses_can_be_saved():
    labels = [button.label for button in run().get("download_button")]
    assert "Guesses · CSV" in labels
