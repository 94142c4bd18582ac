"""Every view opens as a visitor first sees it: it says what to see, names what it draws, and has its numbers
as a table and headings by which its page can be walked.

One visit for all that holds of every view, since it is the visit that takes time.
"""

import re
from itertools import pairwise
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import explorer
from explorer.views.frame.view import settings_of
from explorer.views.settings.setting import MODEL
from tests.views.frame.saving.test_caption import names_every_choice
from tests.views.frame.test_hints import PAGES, VIEWS, assert_first_lines
from tests.views.opening import QUICK, defaults, opened, problems, said, skip_without_weights, told

EVERY = [pytest.param(page, name, id=f"{page.name}-{name}") for page, name in VIEWS]

# Views whose table has no row before somebody has acted.
EMPTY = {
    ("vectors", "train"): "the loss of steps not yet taken",
    ("why", "parts"): "no head yet, on a server that nobody asks for more",
}
# A view that has no numbers before this button is pressed.
REVEALED = {("masked", "replaced"): "masked/reveal"}


def opened_view(page: Any, name: str, **link: Any) -> AppTest:
    """A view as it opens; skips a test where the model that it opens with does not ship here."""
    skip_without_weights(page.views[name])
    return opened(page.name, **({"view": name} if "view" in page.settings else {}), **link)


@pytest.mark.parametrize(("page", "name"), EVERY)
def test_a_view_says_what_to_see_and_has_its_numbers_and_its_saved_picture_names_every_choice(
    page, name, monkeypatch
):
    run = AppTest.run

    def run_with_numbers(at, *arguments, **named):
        at.session_state[f"{page.name}/numbers"] = True
        return run(at, *arguments, **named)

    monkeypatch.setattr(AppTest, "run", run_with_numbers)
    at = opened_view(page, name)
    assert not at.error and "How to read it:" in told(at)
    if page.name != "models":  # whose lines depend on the model
        assert_first_lines(at, page.views[name].text.first)
    if "view" in page.settings:
        names_every_choice(at, page.name)
    headings = re.findall(r'<h([1-6])\b|aria-level="([1-6])"', said(at))
    levels = [1, *(int(level or own) for level, own in headings)]
    assert levels[1] == 2 and all(after - before <= 1 for before, after in pairwise(levels))
    assert f">Picture: {page.views[name].text.label}</h2>" in said(at)
    assert said(at).count('"rb-unseen rb-drawn" data-of=') == 1, "a change that has no other words is heard"
    if button := REVEALED.get((page.name, name)):
        at.button(key=button).click().run()
    (numbers,) = re.findall(r'<div class="rb-numbers".*?</table></div>', said(at), re.DOTALL)
    assert numbers.count('scope="col"') > 0
    assert (numbers.count("<tr>") == 1) == ((page.name, name) in EMPTY)


def names_of_models() -> list[Any]:
    """The bundled models: one that only reads at once, the others among the long tests."""
    names = [str(one) for one in explorer.available() if one.source == "bundled"]
    return [pytest.param(name, marks=() if name == "minilm" else pytest.mark.long) for name in names]


@pytest.mark.parametrize("name", names_of_models())
@pytest.mark.parametrize(
    "page", [page for page in PAGES if MODEL in settings_of(page)], ids=lambda page: page.name
)
def test_a_model_does_what_a_view_shows_or_another_takes_its_place_and_that_is_said(page, name):
    for view in page.views:
        at = opened(page.name, view=view, model=name, **({"writer": "gpt"} if page.name == "search" else {}))
        assert not re.search("cannot|lack|has no ", problems(at)), f"{page.name} {view}: {problems(at)}"
        shown = at.session_state[f"{page.name}.model"]
        assert any("cannot do what" in notice.value for notice in at.warning) == (
            shown != name != defaults(page)["model"]
        )


@pytest.mark.parametrize("page", [page for page in PAGES if len(page.views) > 1], ids=lambda page: page.name)
def test_an_unknown_view_is_the_first_one_and_said(page):
    at = opened(page.name, view="nonsense", **QUICK.get(page.name, {}))
    first = next(iter(page.views))
    assert at.session_state[f"{page.name}.view"] == first
    assert any("nonsense" in notice.value for notice in at.warning)
