"""What no class understands on a stage: codes, units and numbers that stay at the desk and in the CSV."""

import re

from playwright.sync_api import Page

from tests.browser import narrow

WORDS = (
    r"\bL\d+(?:H\d+)?\b|\bH\d+\b",  # layers and heads
    r"\bnats?\b|\bbits\b|\bms\b|[Mm]illisecond|variance|\bPCA\b",
    r"\blogits?\b|softmax|perplexity|\bF1\b|macro-|BM25|rescaled",
    r"in common|[Rr]ollout|by chance|chance \d|probability has moved|random number|÷",
    r"\b(?:PROPN|SCONJ|CCONJ|ADP|PUNCT|DET|AUX|PRON)\b",
)
DECIMAL = r"(?<![\d.,])0?\.\d+(?!\d|\s?%)"  # a share is in per cent
ANY = "|".join((*WORDS, DECIMAL))
NEARNESS = "cosines, which are no shares and are what the stop is about"
ALLOWED = {
    "One place for each word": (DECIMAL, NEARNESS),
    "The company it keeps": (DECIMAL, NEARNESS),
    "King minus man plus woman": (DECIMAL, NEARNESS),
    "A word that nobody has seen": (DECIMAL, NEARNESS),
    "A word by its letters": (DECIMAL, NEARNESS),
    "What BERT became": (DECIMAL, NEARNESS),
    "Thirteen banks": (DECIMAL, NEARNESS),
    "Snow or rain": (DECIMAL, "how many times more often a word stands near one than near the other"),
    "How a word is drawn": (rf"{DECIMAL}|÷", "the temperature, by which scores are divided"),
    "Query, key, value": (rf"{DECIMAL}|÷|softmax", "the numbers from which a weight is computed, one by one"),
}
TEXTS = """() => {
  const texts = new Map();
  for (const { e, text } of window.narrow.tools.words(document.querySelector("[data-testid=stMain]")))
    texts.set(e, (texts.get(e) ?? "") + text);
  return [...texts.values()];
}"""


def jargon(page: Page) -> list[str]:
    """The texts in sight on the open stop's stage that have such a word, code or number."""
    narrow.bring(page)
    allowed, _ = ALLOWED.get(page.locator("h1").inner_text(), (r"\Z", ""))
    texts = page.evaluate(TEXTS)
    for frame in page.frames[1:]:  # BertViz
        texts += frame.locator("body").inner_text().splitlines()
    texts = [" ".join(text.split()) for text in texts]
    return [text for text in texts if re.search(ANY, re.sub(allowed, "", text))]
