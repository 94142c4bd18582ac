"""Every view opens with a line on what to see and one on what to try next; both go with the first change."""

import importlib
import pkgutil
import re

import pytest
from streamlit.testing.v1 import AppTest

from explorer import views
from explorer.views.frame.hints import Hints
from tests.views.opening import opened, said

PAGES = [
    importlib.import_module(f"explorer.views.{package.name}.page").PAGE
    for package in pkgutil.iter_modules(views.__path__)
    if package.ispkg and package.name not in ("frame", "look", "settings", "widgets")
]
VIEWS = [(page, name) for page in PAGES for name in page.views]
SIGN = 'class="rb-how rb-first"'


def by_name(one) -> str:
    return one if isinstance(one, str) else one.name


@pytest.mark.parametrize(("page", "name"), VIEWS, ids=by_name)
def test_the_lines_are_short_and_end_as_sentences(page, name):
    for line in page.views[name].text.first:
        assert 10 < len(line) < 130 and line[-1] in ".?" and '"' not in line


def assert_first_lines(at: AppTest, first: Hints) -> None:
    """The two lines of a view stand on its page, once each."""
    text = said(at)
    assert text.count(SIGN) == 1
    for sentence in first:
        assert sentence in re.sub("<[^>]*>", "", text)


@pytest.mark.parametrize(
    ("page", "change"),
    [
        ("home", {"text": "The [MASK] sank."}),
        ("attention", {"head": 4}),
        ("continuations", {"temperature": 1.2}),
    ],
)
def test_the_lines_speak_of_the_opening_picture_only(page, change):
    assert SIGN not in said(opened(page, **change))
