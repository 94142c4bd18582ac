"""Every view has the numbers of its picture as a table, and headings by which its page can be walked."""

import importlib
import re
from itertools import pairwise

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.frame.navigation import pages
from tests.views.opening import PAGES, QUICK, opened, said, skip_without_weights

# Views whose table has no row before somebody has acted.
EMPTY = {
    ("vectors", "train"): "the loss of steps not yet taken",
    ("continuations", "guess"): "no guess yet",
    ("continuations", "class"): "no word yet",
    ("why", "parts"): "no head yet, on a server that nobody asks for more",
}

# What somebody has done in a view that has no numbers before.
ACTED = {("masked", "replaced"): {"shown": True}}


def folder(name: str) -> str:
    """The folder of a page, which its script names."""
    script = (PAGES / f"{name}.py").read_text(encoding="utf-8")
    (words,) = re.findall(r"^from explorer\.views\.(\w+) import page$", script, re.MULTILINE)
    return words


def every_view():
    """Each page with each of its views: the first in the fast tests, the others in the slow ones."""
    for page in pages():
        views = importlib.import_module(f"explorer.views.{folder(page.name)}.page").PAGE.views
        for at, (name, view) in enumerate(views.items()):
            yield pytest.param(
                page.name, name, view, marks=[pytest.mark.slow] * (at > 0), id=f"{page.name}-{name}"
            )


@pytest.mark.parametrize(("page", "name", "view"), [*every_view()])
def test_a_view_has_its_numbers_as_a_table_and_its_headings_in_order(page, name, view, monkeypatch):
    skip_without_weights(view)
    real = AppTest.run

    def run_open(at, *arguments, **named):
        at.session_state[f"{page}/numbers"] = True
        return real(at, *arguments, **named)

    monkeypatch.setattr(AppTest, "run", run_open)
    link = QUICK.get(page, {}) | ({} if page == "home" else {"view": name}) | ACTED.get((page, name), {})
    at = opened(page, **link)
    (numbers,) = re.findall(r'<div class="rb-numbers".*?</table></div>', said(at), re.DOTALL)
    rows = numbers.count("<tr>") - 1
    assert numbers.count('scope="col"') > 0
    assert rows == 0 if (page, name) in EMPTY else rows > 0
    headings = re.findall(r'<h([1-6])\b|aria-level="([1-6])"', said(at))
    levels = [1, *(int(level or own) for level, own in headings)]
    assert levels[1] == 2 and all(after - before <= 1 for before, after in pairwise(levels))
    assert f">Picture: {view.label}</h2>" in said(at)
