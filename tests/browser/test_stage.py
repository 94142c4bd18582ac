"""What the walk through lectures calls wrong, on pages that have nothing else."""

import pytest
from playwright.sync_api import Page

from tests.browser import stage
from tests.browser.conftest import SIZE

PICTURE = '<div class="st-key-picture" style="font-size: 20px; {}">{}</div>'
COVERED = '<p style="visibility: hidden; margin-left: 1200px; white-space: nowrap">Covered, and laid out</p>'
CUT = '<p style="width: 60px; overflow: hidden; white-space: nowrap">More than its box shows</p>'
WRONG = {
    "outside": PICTURE.format("", COVERED),
    "cut": PICTURE.format("", CUT),
    "overlapping": PICTURE.format("margin-top: -40px", "Over the question"),
    "small": PICTURE.format("", '<span style="font-size: 15px">Too small for the back row</span>'),
    "scrolling": PICTURE.format("height: 50px; overflow-y: auto", '<p style="height: 90px">Scrolls</p>'),
}


def drawn(page: Page, picture: str) -> Page:
    """A stage of a title, a question and this picture."""
    page.set_viewport_size(SIZE)
    style = "font: 20px/1.2 serif; margin: 0"
    question = f'<h1 style="{style}">A stop</h1><p class="rb-question" style="{style}; height: 40px">Why?</p>'
    page.set_content(f'<div data-testid="stMain">{question}{picture}</div>')
    return page


@pytest.mark.parametrize("kind", WRONG)
def test_what_is_wrong_on_a_stage_is_seen(bare, kind):
    assert list(stage.look(drawn(bare, WRONG[kind]))) == [kind]


def test_a_stage_on_which_all_is_in_view_has_no_findings(bare):
    assert stage.look(drawn(bare, PICTURE.format("", "<p>All of it</p>"))) == {}
