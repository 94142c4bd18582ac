"""Every view opens as a visitor first sees it: it says what to see, and names what it draws.

One visit for all that holds of every view, since it is the visit that takes time.
"""

import pytest

from tests.views.frame.test_caption import names_every_choice
from tests.views.frame.test_first import VIEWS, assert_first_lines
from tests.views.opening import opened, skip_without_weights

SLOW = ("language", "waiting")  # the views whose models take seconds to answer
EVERY = [
    pytest.param(room, name, marks=pytest.mark.slow if name in SLOW else (), id=f"{room.NAME}-{name}")
    for room, name in VIEWS
]


@pytest.mark.parametrize(("room", "name"), EVERY)
def test_a_view_says_what_to_see_and_its_saved_picture_names_every_choice(room, name):
    view = room.VIEWS[name]
    skip_without_weights(view)
    at = opened(room.NAME, **({"view": name} if "view" in room.SETTINGS else {}))
    assert not at.error
    if room.NAME != "models":  # whose lines depend on the model
        assert_first_lines(at, view.first)
    if "view" in room.SETTINGS:
        names_every_choice(at, room.NAME)
