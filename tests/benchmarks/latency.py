"""From committed text to the last mark on screen, in real Chromium: `python -m tests.benchmarks.latency`.

The clock starts when the browser sends the text to the server (on one machine: when the server
receives it) and stops at the last change of the page's main picture, shadow roots included.
Twenty texts a page, warm, one visitor; keep the machine otherwise idle. Prints median and p95.
"""

import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from explorer.analysis import senses
from tests.browser.conftest import QUIET, start_server

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
QUIET_MS = 700
WORDS = """
red green small old quiet happy tall young angry bright
slow quick warm cold brave kind lazy proud wise shy
"""
SENTENCE = (
    "The {} keeper of the old museum by the river told the visitors that the bank had never been closed."
)


def sentences(pattern: str) -> list[str]:
    """Twenty texts of about 24 tokens that differ in one word."""
    return [pattern.format(word) for word in WORDS.split()]


def measure(
    page: Page, texts: list[str], commit: Callable[[Page, str], None], mark: str = "last"
) -> list[float]:
    """Milliseconds per text; the first two texts only warm up."""
    page.evaluate(PROBE)
    times = []
    for text in [*texts[:2], *texts]:
        page.evaluate(
            "(prompt) => Object.assign(window.probe, { prompt, sent: 0, token: 0, last: 0, armed: true })",
            text,
        )
        commit(page, text)
        page.wait_for_function(
            "(quiet) => probe.sent && probe.last > probe.sent && performance.now() - probe.last > quiet",
            arg=QUIET_MS,
            timeout=60_000,
        )
        times.append(page.evaluate(f"() => probe.{mark} - probe.sent"))
    return times[2:]


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
    p95 = statistics.quantiles(times, n=20, method="inclusive")[-1]
    verdict = "met" if p95 < goal else "missed"
    median = statistics.median(times)
    print(f"{name:34} median {median:5.0f} ms   p95 {p95:5.0f} ms   goal {goal:.0f}: {verdict}")


def main() -> None:
    """Measure every page on one fresh server."""
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        process, url = start_server(Path(home))
        browser = playwright.chromium.launch(args=QUIET, executable_path="/usr/bin/chromium")
        page = browser.new_page(viewport={"width": 1280, "height": 720})

        def on(path: str) -> Page:
            page.goto(url + path)
            page.wait_for_selector(".st-key-picture", timeout=60_000)
            page.wait_for_timeout(4000)
            return page

        try:
            report("attention, 24 tokens", measure(on("/attention"), sentences(SENTENCE), by_enter), 300)
            report(
                "masked words, 24 tokens, one mask",
                measure(on("/masked"), sentences(SENTENCE.replace("bank", "[MASK]")), by_enter),
                300,
            )
            twenty = [bank(4).replace(".", f" {word}.", 1) for word in WORDS.split()]
            report("senses, 12 sentences, one edited", measure(on("/senses"), twenty, by_pause), 300)
            twenty = [bank(8).replace(".", f" {word}.") for word in WORDS.split()]
            report("senses, 24 sentences, all new", measure(on("/senses"), twenty, by_pause), 500)
            prompts = sentences("The {} house by the river")
            times = measure(on("/continuations"), prompts, by_enter, mark="token")
            report("first GPT token", times, 150)
        finally:
            process.terminate()
            process.wait(10)


if __name__ == "__main__":
    main()
