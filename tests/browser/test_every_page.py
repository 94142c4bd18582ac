"""The list of pages is the app's own. Every view is looked at in test_every_view.py."""

import re

import pytest

from explorer.views.frame.navigation import FIRST, pages
from tests.browser.waiting import expect


def address(name: str) -> str:
    return "/" if name == "home" else f"/{name}"


def test_the_sidebar_lists_the_pages(open_page):
    links = open_page("/").locator("[data-testid=stSidebar] a")
    expect(links).to_have_text([FIRST, *(p.title for p in pages()[1:])])


@pytest.mark.slow
def test_a_language_is_chosen_below_the_pages_and_the_document_and_its_links_say_so(open_page):
    page = open_page("/")
    html, save = page.locator("html"), page.locator(".st-key-save button").first
    expect(html).to_have_attribute("lang", "en")
    for choice, language, label in (("Français", "fr", "Enregistrer"), ("English", "en", "Save")):
        page.locator(".st-key-language button", has_text=choice).click()
        expect(html).to_have_attribute("lang", language)
        expect(save).to_contain_text(label)
        expect(page).to_have_url(re.compile(f"lang={language}"))
        link = page.locator(".st-key-pages a").nth(1)
        expect(link).to_have_attribute("href", re.compile(f"lang={language}"))
