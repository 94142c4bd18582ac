"""Every view opens as a visitor first sees it: it says what to see, and names what it draws.

One visit for all that holds of every view, since it is the visit that takes time.
"""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.views.frame.saving.test_caption import names_every_choice
from tests.views.frame.test_hints import PAGES, VIEWS, assert_first_lines
from tests.views.opening import QUICK, opened, skip_without_weights, told

EVERY = [pytest.param(page, name, id=f"{page.name}-{name}") for page, name in VIEWS]


def opened_view(page: Any, name: str) -> AppTest:
    """A view as it opens; skips a test where the model that it opens with does not ship here."""
    skip_without_weights(page.views[name])
    return opened(page.name, **({"view": name} if "view" in page.settings else {}))


@pytest.mark.parametrize(("page", "name"), EVERY)
def test_a_view_says_what_to_see_and_how_and_its_saved_picture_names_every_choice(page, name):
    at = opened_view(page, name)
    assert not at.error and "How to read it:" in told(at)
    if page.name != "models":  # whose lines depend on the model
        assert_first_lines(at, page.views[name].text.first)
    if "view" in page.settings:
        names_every_choice(at, page.name)


@pytest.mark.parametrize("page", [page for page in PAGES if len(page.views) > 1], ids=lambda page: page.name)
def test_an_unknown_view_is_the_first_one(page):
    at = opened(page.name, view="nonsense", **QUICK.get(page.name, {}))
    first = next(iter(page.views))
    assert at.session_state[f"{page.name}.view"] == first and at.query_params.get("view", [first]) == [first]
