"""Every view as students see it: axe-core finds nothing serious, projectors and phones show all of it.

`python -m tests.browser.sweep` prints the same.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, Page

from explorer.views.frame.presets import presets
from explorer.views.settings import link_values
from tests.browser import axe, narrow
from tests.browser.conftest import SIZE, start_server
from tests.browser.long_words import LONG
from tests.browser.sweep import CHINESE_MODEL, PHONE, paths, preset_paths, printed, sweep, sweep_in
from tests.browser.waiting import appears
from tests.views.frame.test_hints import PAGES
from tests.views.opening import defaults

PATHS = paths()
SCREENS = (768, PHONE)  # a laptop at 200 % is between the two: the command looks at it as well
FULL = ("masked", "search", "senses")  # the others have findings, or fewer controls
# Two workers share the pages.
EVERY = [pytest.param(name, marks=pytest.mark.xdist_group(f"views of {name}")) for name in PATHS]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", EVERY)
def test_every_view_of_a_page(open_page, name):
    page = open_page("/")
    findings = {path: sweep(page, path, SCREENS) for path in PATHS[name]}
    bad = [printed(path, found) for path, found in findings.items() if found]
    assert not bad, "\n".join(bad)


@pytest.fixture(scope="module")
def in_long_words(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The app in words a third longer than the English ones."""
    process, url = start_server(tmp_path_factory.mktemp("long"), module="tests.browser.long_words")
    page = browser.new_page(viewport=SIZE)
    page.goto(f"{url}?lang=fr")
    appears(page, "h1")
    yield page
    page.close()
    process.terminate()
    process.wait(60)


@pytest.mark.timeout(900)
@pytest.mark.xdist_group("long words")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=getattr(pytest.mark, "slow" if name in FULL else "long")) for name in PATHS],
)
def test_words_a_third_longer_fit_a_laptop_and_a_phone(in_long_words, name):
    findings = {path: sweep_in(LONG, in_long_words, path) for path in PATHS[name]}
    assert not any(findings.values()), "\n".join(printed(*each) for each in findings.items() if each[1])


def test_the_sweep_of_presets_opens_each_of_them():
    for page in PAGES:
        standard = defaults(page)
        opened = [standard, *(standard | values_of(path, standard) for path in preset_paths()[page.name])]
        for preset in presets(page.name):
            model = {"model": CHINESE_MODEL} if preset.language == "zh" else {}
            assert standard | model | preset.values in opened, f"{page.name}: {preset.label}"


def values_of(path: str, standard: dict[str, Any]) -> dict[str, Any]:
    """The settings in an address."""
    link = parse_qsl(path.partition("?")[2], keep_blank_values=True)
    return {name: link_values.unpack(text, standard[name]) for name, text in link}


def test_few_things_are_exempt():
    assert len(axe.EXEMPT) <= 10 and all(axe.EXEMPT.values())


WRONG = {
    "sideways": '<p style="width: 900px">A line that is wider than the screen</p>',
    "small": '<p style="font-size: 11px">Small</p>',
    "cut": '<p style="width: 60px; overflow: hidden; white-space: nowrap">More than its box shows</p>',
    "overlapping": '<p style="margin: 0">One line</p><p style="margin: -18px 0 0">Another line</p>',
    "edgeless": '<div style="overflow-x: auto"><p style="width: 900px">A line that scrolls</p></div>',
}
RIGHT = [
    '<div style="overflow-x: auto; border: 1px solid"><p style="width: 900px">A line that scrolls</p></div>',
    '<p style="position: absolute; width: 1px; height: 1px; overflow: hidden">Read out, not seen</p>',
]


def drawn(page: Page, content: str) -> Page:
    """A page of nothing but this, on a phone."""
    page.set_viewport_size({"width": PHONE, "height": 600})
    style = "width: 300px; overflow: auto; font: 16px/1.2 serif"
    page.set_content(f'<div data-testid="stMain" style="{style}">{content}</div>')
    return page


@pytest.mark.parametrize("kind", WRONG)
def test_what_a_narrow_screen_does_is_seen(bare, kind):
    assert list(narrow.look(drawn(bare, WRONG[kind]))) == [kind]


@pytest.mark.parametrize("content", RIGHT)
def test_what_can_be_read_is_not_reported(bare, content):
    assert narrow.look(drawn(bare, content)) == {}


CUT = '<p style="width: 60px; overflow: hidden; white-space: nowrap" onclick="{}">More than its box{}</p>'


def test_a_text_that_a_tap_shows_whole_is_not_cut(bare):
    drawn(bare, CUT.format("this.style.whiteSpace = 'normal'", "") + CUT.format("", ", ever"))
    assert narrow.opened_by_tap(bare) == {"p in the page: More than its box"}


def test_axe_sees_pale_letters_and_skipped_headings(bare):
    found = axe.check(drawn(bare, '<p style="color: #ddd">Pale</p><h1>One</h1><h3>Three</h3>'))
    assert [line.partition(" ")[0] for line in found if "main" not in line] == [
        "color-contrast",
        "heading-order",
    ], found


def test_a_frame_that_no_key_scrolls_is_seen(bare):
    frame = '<p style="width: 90px; overflow-x: auto; white-space: nowrap" {}>A line wider than its frame</p>'
    assert len(axe.not_scrolled_by_keys(drawn(bare, frame.format("") + frame.format('tabindex="0"')))) == 1


def test_what_a_finger_misses_is_seen_also_where_arrow_keys_lead(bare):
    key = '<button style="width: 20px; height: 20px; padding: 0" tabindex="{}">{}</button>'
    found = axe.small_targets(drawn(bare, "".join(key.format(*each) for each in [(0, "a"), (-1, "b")])))
    assert len(found) == 2
    assert bare.locator("[tabindex='-1']").count() == 1
