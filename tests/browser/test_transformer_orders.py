"""Views of the Transformer page: each picture fits the projector, and nothing in it is small."""

import pytest

from explorer.views.frame.theme import SMALLEST
from tests.browser.test_every_page import SMALL_TEXT, settle


@pytest.mark.parametrize(
    "link",
    [
        "view=positions",
        "view=positions&positions_part=shift",
        "view=positions&positions_part=products",
        "view=shuffle",
        "view=masks",
        "view=leak",
    ],
)
def test_the_picture_is_in_view_and_can_be_read(open_page, link):
    page = open_page(f"/transformer?{link}")
    settle(page)
    page.wait_for_selector(".st-key-picture .js-plotly-plot .main-svg")
    assert page.locator(".st-key-problem").count() == 0
    box = page.locator(".st-key-picture").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 720, box
    assert page.evaluate(SMALL_TEXT, SMALLEST) == []
