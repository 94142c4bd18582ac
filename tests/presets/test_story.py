"""The prompt that Continuations opens on: the story stays with whom it has named."""

import re

import pytest

from explorer.analysis.generation import Sampling, generate
from explorer.views.continuations.texts import STORY
from tests.presets.test_promises import hold_for_most
from tests.shared_models import model
from tests.views.opening import defaults

SETTINGS = defaults("continuations")

# Written down before any was tried.
OTHERS = ["boy", "cat", "dog", "bird", "prince", "bear", "mouse", "rabbit", "princess"]


def holds_together(prompt: str) -> bool:
    """Whether the story names somebody, and then goes on about them."""
    sampling = Sampling(
        temperature=SETTINGS["temperature"], seed=SETTINGS["seed"], max_new_tokens=SETTINGS["length"]
    )
    written = "".join(step.token for step in generate(model("gpt"), prompt, sampling))
    named = re.search(r"named (\w+)", written)
    return named is not None and written.count(named[1]) > 1


@pytest.mark.weights
def test_the_story_stays_with_whom_it_has_named():
    assert STORY.endswith("girl") and holds_together(STORY)
    hold_for_most(holds_together, [STORY], [[STORY.removesuffix("girl") + one] for one in OTHERS])
