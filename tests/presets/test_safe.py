"""The sentences that a teacher may take from the room keep their promise; the odds are as they are said."""

from pathlib import Path

import pytest

from explorer.assets import CHECKOUT, SAFE, table
from explorer.catalogue.manifest import manifests
from tests.presets.test_promises import LARGE, function
from tests.presets.why import gives_a_picture
from tests.views.opening import opened, page_defaults, page_of, told

PAGES = table(SAFE)


@pytest.mark.parametrize("page", PAGES)
def test_ten_sentences_fill_settings_of_their_view(page):
    listed = PAGES[page]
    assert len(listed["sentences"]) == 10 and set(listed["set"]) <= set(page_defaults(page))
    assert listed["view"] in page_of(page).views
    good, every = listed["odds"]
    guide = (CHECKOUT / "docs" / "lecture.md").read_text(encoding="utf-8")
    assert f"| {good} of {every} | {listed['good']} |" in guide


@pytest.mark.weights
@pytest.mark.long
@pytest.mark.parametrize("page", PAGES)
def test_the_first_ten_that_hold_are_offered_and_the_odds_are_as_they_are_said(page):
    if (page == "tokens" or "writer" in PAGES[page]) and not manifests()[LARGE].is_available():
        pytest.skip("its package is not installed")
    tried = table(Path(__file__).with_name("safe_candidates.toml"))[page]
    held = [line for line in tried["sentences"] if function(tried["holds"])(*line)]
    several = len(PAGES[page]["set"])
    assert PAGES[page]["sentences"] == [one[0] if several == 1 else one[:several] for one in held[:10]]
    assert PAGES[page]["odds"] == [len(held), len(tried["sentences"])]


@pytest.mark.parametrize("link", [{}, {"present": "1"}], ids=["desk", "stage"])
def test_a_press_opens_a_sentence(link):
    at = opened("masked", beside=False, **link)
    assert "That held for 20 of the 40" in told(at)
    (button,) = [one for one in at.button if one.label.startswith("It was so cold")]
    button.click().run()
    assert not at.exception and at.query_params["text"].startswith("It was so cold")


@pytest.mark.weights
@pytest.mark.long
def test_seven_of_ten_pairs_of_prompts_give_a_picture():
    """`ten_pairs.toml` was written down before any was tried; as they were typed 2 of 10 did."""
    if not manifests()[LARGE].is_available():
        pytest.skip("its package is not installed")
    pairs = table(Path(__file__).with_name("ten_pairs.toml"))["pairs"]
    assert len(pairs) == 10 and sum(gives_a_picture(*pair) for pair in pairs) >= 7
