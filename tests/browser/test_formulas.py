"""Every symbol that a view explains is in its formula, as KaTeX draws it, and says its meaning."""

import os
import signal
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.browser.conftest import SIZE, start_server
from tests.browser.waiting import at, becomes, expect
from tests.views.frame.test_hints import VIEWS

SCRIPT = """
import streamlit as st
from explorer.views.look import theme
from explorer.views.widgets.formula import formula
from explorer.views.widgets.registry import component, style
from tests.browser.test_formulas import FORMULAS

st.html(f"<style>:root{{{theme.css_variables(theme.LIGHT)}}}{style('look/page.css')}</style>")
for name, content in FORMULAS.items():
    formula(content, name)
data = {"press": {"presses": 0, "changed": []}, "language": "en", "scheme": "light", "room": None}
data |= {"covered": None, "lecture": {"wanted": "", "state": None}}
component("frame/page_behaviour")(key="page_behaviour", data=data, height=1, width=1)
"""
FORMULAS = {
    f"{page.name}-{name}-{number}": content
    for page, name in VIEWS
    for number, content in enumerate(page.views[name].text.formulas)
}
MARKED = """place => Object.fromEntries([...document.querySelectorAll(`${place} .katex-html .rb-term`)].map(
  (term) => [term.textContent.replace(/[\\s\\u200b]/g, ""), term.dataset.meaning]))"""
INSIDE = """term => {
  const [style, box] = [getComputedStyle(term, "::after"), term.getBoundingClientRect()];
  const left = box.left + parseFloat(style.left);
  return style.content !== "none" && left >= 0 && left + parseFloat(style.width) <= innerWidth;
}"""


@pytest.fixture(scope="module")
def url(chromium: str, tmp_path_factory: pytest.TempPathFactory):
    """A page with the formulas of all views."""
    home: Path = tmp_path_factory.mktemp("formulas")
    (home / "all.py").write_text(SCRIPT)
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    process, url = start_server(home, script=str(home / "all.py"))
    del os.environ["PYTHONPATH"]
    yield url
    process.send_signal(signal.SIGTERM)
    process.wait(60)


def test_every_symbol_says_its_meaning(browser: Browser, url: str):
    assert FORMULAS
    page = browser.new_page(viewport=SIZE)
    page.goto(url)
    for name, content in FORMULAS.items():
        place = f".st-key-formula-{name}"
        with at(name):
            expect(page.locator(f"{place} .katex-html")).not_to_have_count(0)
            expect(page.locator(f"{place} .katex-error")).to_have_count(0)
            becomes(page, partial(page.evaluate, MARKED, place), dict(content.symbols))
    page.close()


def test_on_a_phone_a_tap_shows_the_meaning_within_the_window(browser: Browser, url: str):
    phone = browser.new_context(viewport=ViewportSize(width=390, height=800), has_touch=True)
    page = phone.new_page()
    page.goto(url)
    name = next(name for name, content in FORMULAS.items() if content.symbols)
    terms = page.locator(f".st-key-formula-{name} .rb-term")
    expect(terms.first).to_be_visible()
    for term in terms.all():
        term.tap()
        with at(term.inner_text()):
            page.wait_for_function(INSIDE, arg=term.element_handle())
    phone.close()
