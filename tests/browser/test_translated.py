"""A page that the browser translates: its text nodes give way to elements of the translator's."""

import pytest
from playwright.sync_api import Page

from tests.browser.waiting import at, expect, follow, still

pytestmark = pytest.mark.slow

# As Google's translator does it, here in components as well; what says translate="no" is left alone.
TRANSLATE = """() => {
  const texts = [], left = '[translate=no], script, style, textarea, font';
  const look = (root) => {
    for (const child of root.childNodes) {
      if (child.nodeType === Node.TEXT_NODE && child.data.trim()) texts.push(child);
      if (child.nodeType !== Node.ELEMENT_NODE || child.matches(left)) continue;
      look(child);
      if (child.shadowRoot) look(child.shadowRoot);
    }
  };
  look(document.body);
  for (const text of texts) {
    const made = document.createElement('font');
    made.append(document.createElement('font'));
    made.firstChild.textContent = `«${text.data}»`;
    text.replaceWith(made);
  }
}"""
KEPT = "bdi, .root, [data-testid=stCode]"  # words, sentences and programs
# A page, and another of its views or models: between the two, React changes what stands there.
TURNS = {
    "/continuations?model=gpt&length=2": "/continuations?view=colour",
    "/transformer": "/transformer?view=positions",
    "/finetuning": "/finetuning?view=words",
    "/models": "/models?model=bert-mini",
}


PROGRAM = """() => {
  const folds = [...document.querySelectorAll('details')];
  const fold = folds.find((one) => one.textContent.includes('Show the code'));
  if (fold && !fold.open) fold.querySelector('summary').click();
  return fold?.querySelector('[data-testid=stCode] code')?.textContent ?? null;
}"""


def program(page: Page) -> str:
    """What stands under “Show the code”, which is opened."""
    return still(page, lambda: page.evaluate(PROGRAM))


def card(page: Page) -> str:
    """A model's card as it reads, without the translator's marks."""
    place = page.locator(".st-key-models-card")
    return place.inner_text().replace("«", "").replace("»", "") if place.count() else ""


def test_a_translated_page_lives_on_with_the_right_program(open_page):
    plain, page = open_page("/"), open_page("/")
    for first, second in TURNS.items():
        with at(second):
            follow(plain, second)
            wanted = program(plain), card(plain)
            follow(page, first)
            program(page)
            page.evaluate(TRANSLATE)
            expect(page.locator("h1")).to_contain_text("«")
            assert page.locator(KEPT, has_text="«").count() == 0
            follow(page, second)
            assert program(page) == wanted[0]
            assert card(page) == wanted[1]
            assert page.locator("[data-testid=stException], [data-testid=stAlert]").count() == 0
