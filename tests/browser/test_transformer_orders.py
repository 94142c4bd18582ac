"""Views of the Transformer page: each picture fits the projector, and nothing in it is small."""

import pytest

from tests.browser.test_every_page import assert_in_view, assert_legible, settle
from tests.browser.waiting import appears, at, follow

pytestmark = pytest.mark.slow

LINKS = [
    "view=positions",
    "view=positions&positions_part=shift",
    "view=positions&positions_part=products",
    "view=shuffle",
    "view=masks",
    "view=masks&masks_part=masks",
]


def test_each_picture_is_in_view_and_can_be_read(open_page):
    page = open_page("/transformer")
    for link in LINKS:
        with at(link):
            follow(page, f"/transformer?{link}")
            settle(page)
            appears(page, ".st-key-picture .js-plotly-plot .main-svg")
            assert_in_view(page, ".st-key-picture")
            assert_legible(page)
