"""axe-core on a page of the app: what it finds serious, without what is Streamlit's own."""

import importlib.resources
from typing import Any

from playwright.sync_api import Page

from tests.browser.waiting import PARTS_OF, RESTS

SCRIPT = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
BESIDES = ["heading-order", "empty-table-header", "landmark-unique"]  # best practice, moderate and minor
TARGETS = "target-size"  # of WCAG 2.2, and off by default
ON = {"enabled": True}
SEVERE = ("serious", "critical")
# By selector, with the reason. At most ten.
EXEMPT: dict[str, str] = {}


def inject(page: Page) -> None:
    """Bring axe to a page and to its frames, unless it is there."""
    for frame in page.frames:
        if not frame.evaluate("Boolean(window.axe)"):
            frame.evaluate(SCRIPT)


def check(page: Page, contrast_alone: bool = False) -> list[str]:
    """What axe finds on a page, one line for each element; with `contrast_alone` the colours only.

    Other rules do not depend on the colour scheme.
    """
    inject(page)
    rules = _alone("color-contrast")
    if not contrast_alone:
        rules = {
            "runOnly": {"type": "tag", "values": STANDARDS},
            "rules": {name: ON for name in [*BESIDES, TARGETS]},
        }
    return _run(page, rules, "[data-testid=stMain]" if contrast_alone else "body")


def small_targets(page: Page) -> list[str]:
    """What is too small for a finger, one line for each element.

    Axe looks at stops of the Tab key alone, so what arrow keys reach is made one for the moment.
    """
    inject(page)
    page.evaluate(MAKE_STOPS, ["-1", "0"])
    try:
        return _run(page, _alone(TARGETS), "body")
    finally:
        page.evaluate(MAKE_STOPS, ["0", "-1"])


def not_scrolled_by_keys(page: Page) -> list[str]:
    """What scrolls in its own frame and is out of the keyboard's reach, one line for each element."""
    inject(page)
    return _run(page, _alone("scrollable-region-focusable"), "body")


def _alone(rule: str) -> dict[str, Any]:
    return {"runOnly": {"type": "rule", "values": [rule]}, "rules": {rule: ON}}


# Those that have been changed are remembered, so that they alone are changed back.
MAKE_STOPS = (
    "([from, to]) => {"
    + PARTS_OF
    + """
  window.madeStops ??= partsOf(document.body).filter((part) => part.getAttribute("tabindex") === from);
  window.madeStops.forEach((part) => part.setAttribute("tabindex", to));
  if (from === "0") delete window.madeStops;
}"""
)


def _run(page: Page, rules: dict[str, Any], include: str) -> list[str]:
    """What axe finds by these rules in a part of a page, once no colour is on its way to another one."""
    page.wait_for_function(RESTS)
    context = {"include": [[include]], "exclude": [[selector] for selector in EXEMPT]}
    result = page.evaluate(
        "([context, rules]) => axe.run(context, { ...rules, resultTypes: ['violations'] })", [context, rules]
    )
    return [
        line
        for rule in result["violations"]
        if rule["impact"] in SEVERE or rule["id"] in BESIDES
        for line in _lines(rule)
    ]


def _lines(rule: dict[str, Any]) -> list[str]:
    """The elements of a finding, each with the first reason."""
    found = []
    for node in rule["nodes"]:
        target = " ".join(" >> ".join(part) if isinstance(part, list) else part for part in node["target"])
        reasons = [*node["any"], *node["all"], *node["none"]]
        why = reasons[0]["message"] if reasons else rule["help"]
        found.append(f"{rule['id']} ({rule['impact']}): {target[-90:]} {node['html'][:90]!r}: {why[:130]}")
    return found
