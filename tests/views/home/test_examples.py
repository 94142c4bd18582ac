"""The code that the start page shows, run as it is printed, gives the guesses that it draws."""

from functools import partial

import pytest

from explorer.views.frame.presets import presets
from explorer.views.widgets.token_text import visible
from tests.views import opening
from tests.views.opening import printed_result, sent

run = partial(opening.opened, "home")


@pytest.mark.parametrize("values", [preset.values for preset in presets("home")], ids=str)
def test_the_printed_code_gives_what_is_drawn(values):
    at = run(**values)
    result = printed_result(at)
    mount, *_ = sent(at, "bars")
    assert [row["token"] for row in mount["rows"]] == [token for token, _ in result]
    probabilities = [row["probability"] for row in mount["rows"]]
    assert probabilities == pytest.approx([p for _, p in result], abs=2e-3), "the opening ones are stored"


def test_the_code_of_a_plain_sentence_gives_the_tokens_that_are_written():
    at = run(text="My dog ate the cake.")
    tokens = [token for token, _ in printed_result(at)]
    assert [token["text"] for token in sent(at, "token_strip")[1]["tokens"]] == [*map(visible, tokens)]


def test_the_guesses_can_be_saved():
    labels = [button.label for button in run().get("download_button")]
    assert "Guesses · CSV" in labels
