"""From committed text to the last mark on screen, in real Chromium: `python -m tests.benchmarks.latency`.

The clock starts when the browser sends the text to the server (on one machine: when the server
receives it) and stops at the last change of the page's main picture, shadow roots included.
Twenty texts a page, warm, one visitor; keep the machine otherwise idle. Prints median and p95.
"""

import statistics
from collections.abc import Callable

from playwright.sync_api import Page

from explorer.analysis import senses
from tests.benchmarks.figures import figure, percentile_95
from tests.browser.conftest import SIZE
from tests.browser.running import App, running_app
from tests.command import parser, size

# Records when the text was sent, when the picture last changed, and when a prompt's first token stood.
PROBE = """() => {
  window.probe = { sent: 0, token: 0, last: 0 };
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...args) {
    if (window.probe.armed) { window.probe.sent = performance.now(); window.probe.armed = false; }
    return send.apply(this, args);
  };
  const seen = new WeakSet();
  const watch = (root) => {
    if (seen.has(root)) return;
    seen.add(root);
    new MutationObserver(() => {
      const now = performance.now();
      const asked = root.querySelector('.prompt')?.textContent.trim() === window.probe.prompt;
      if (!window.probe.token && asked && root.querySelector('.chip')) window.probe.token = now;
      window.probe.last = now;
      walk(root);
    }).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    walk(root);
  };
  const walk = (root) => {
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) watch(element.shadowRoot);
  };
  watch(document.querySelector('.st-key-picture'));
}"""
QUIET_MS, REST_MS = 700, size(4000, 0)
WORDS = """
red green small old quiet happy tall young angry bright
slow quick warm cold brave kind lazy proud wise shy
"""
SENTENCE = (
    "The {} keeper of the old museum by the river told the visitors that the bank had never been closed."
)


def sentences(pattern: str) -> list[str]:
    """Twenty texts of about 24 tokens that differ in one word."""
    return [pattern.format(word) for word in WORDS.split()[: size(20, 1)]]


def measure(
    page: Page, texts: list[str], commit: Callable[[Page, str], None], mark: str = "last"
) -> list[float]:
    """Milliseconds per text; the first two texts only warm up."""
    page.evaluate(PROBE)
    times = []
    warm = size(2, 0)
    for text in [*texts[:warm], *texts]:
        page.evaluate(
            "(prompt) => Object.assign(window.probe, { prompt, sent: 0, token: 0, last: 0, armed: true })",
            text,
        )
        commit(page, text)
        page.wait_for_function(
            "([mark, quiet]) => probe.sent && Math.min(probe[mark], probe.last) > probe.sent"
            " && performance.now() - probe.last > quiet",
            arg=[mark, QUIET_MS],
            timeout=60_000,
        )
        times.append(page.evaluate(f"() => probe.{mark} - probe.sent"))
    return times[warm:]


def by_enter(page: Page, text: str) -> None:
    """Replace the first text box's text and press Enter."""
    box = page.locator("textarea").first
    box.fill(text)
    box.press("Enter")


def by_pause(page: Page, text: str) -> None:
    """Replace the sentences; the box commits after a pause."""
    page.locator("textarea.many").first.fill(text)


def bank(each: int) -> str:
    """The first sentences of every sense of bank, tagged."""
    found = senses.library("bank")
    kept = [s for i, s in enumerate(found) if sum(t.sense == s.sense for t in found[:i]) < each]
    return senses.write_sentences(kept)


def report(name: str, times: list[float], goal: float) -> None:
    """One line: median, p95, and whether the goal is met."""
    p95 = percentile_95(times)
    verdict = "met" if p95 < goal else "missed"
    figure(name, f"median {statistics.median(times):.0f}, p95 {p95:.0f} ms", f"goal {goal:.0f} ms: {verdict}")


def open_picture(app: App, path: str, mark: str = ".st-key-picture") -> Page:
    """A new tab with the picture of a page, warm."""
    page = app.browser.new_page(viewport=SIZE)
    page.goto(app.url + path)
    page.wait_for_selector(mark, state="attached", timeout=60_000)
    page.wait_for_timeout(REST_MS)
    return page


def main() -> None:
    """Measure every page on one fresh server."""
    parser("tests.benchmarks.latency", __doc__).parse_args()
    one_new, all_new = sentences(bank(4).replace(".", " {}.", 1)), sentences(bank(8).replace(".", " {0}."))
    blanks, prompts = sentences(SENTENCE.replace("bank", "[MASK]")), sentences("The {} house by the river")
    rows = (
        ("attention, 24 tokens", "attention", sentences(SENTENCE), by_enter, "last", 300),
        ("masked words, 24 tokens, one mask", "masked?beside=false", blanks, by_enter, "last", 300),
        ("masked words, SmolLM2 beside", "masked", blanks, by_enter, "last", 300),
        ("senses, 12 sentences, one edited", "senses", one_new, by_pause, "last", 300),
        ("senses, 24 sentences, all new", "senses", all_new, by_pause, "last", 500),
        ("first token", "continuations", prompts, by_enter, "token", 150),
    )
    with running_app() as app:
        for name, path, texts, commit, mark, goal in rows:
            page = open_picture(app, f"/{path}")
            report(name, measure(page, texts, commit, mark), goal)
            page.close()


if __name__ == "__main__":
    main()
