"""Every view opens as a visitor first sees it: it says what to see, and names what it draws.

One visit for all that holds of every view, since it is the visit that takes time.
"""

import pytest

from tests.views.frame.saving.test_caption import names_every_choice
from tests.views.frame.test_hints import VIEWS, assert_first_lines
from tests.views.opening import opened, skip_without_weights

SLOW = ("language", "waiting")  # the views whose models take seconds to answer
EVERY = [
    pytest.param(page, name, marks=pytest.mark.slow if name in SLOW else (), id=f"{page.name}-{name}")
    for page, name in VIEWS
]


@pytest.mark.parametrize(("page", "name"), EVERY)
def test_a_view_says_what_to_see_and_its_saved_picture_names_every_choice(page, name):
    view = page.views[name]
    skip_without_weights(view)
    at = opened(page.name, **({"view": name} if "view" in page.settings else {}))
    assert not at.error
    if page.name != "models":  # whose lines depend on the model
        assert_first_lines(at, view.first)
    if "view" in page.settings:
        names_every_choice(at, page.name)
