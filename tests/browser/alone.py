"""A component on a bare page: without Streamlit and without a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize

from explorer.views.look.theme import LIGHT, css_variables
from explorer.views.widgets.registry import VIEWS, module, style


@contextmanager
def bare_page(browser: Browser, size: ViewportSize) -> Iterator[Page]:
    """A page with an empty root; afterwards no script may have failed and nothing been asked for."""
    page = browser.new_page(viewport=size)
    failures, asked = [], []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.set_content(f'<div class="root" style="width: {size["width"] - 100}px"></div>')
    page.add_style_tag(content=f":root {{ {css_variables(LIGHT)} }}")
    yield page
    page.close()
    assert failures == []
    assert asked == []


def load(page: Page, name: str, views: Path = VIEWS) -> None:
    """Bring a component's `draw` to the page, and note what it sends."""
    if (views / f"{name}.css").exists():
        page.add_style_tag(content=style(f"{name}.css", views))
    page.add_script_tag(type="module", content=f"{module(f'{name}.js', views)}\nwindow.draw = draw;")
    page.evaluate("window.sent = []")
    page.wait_for_function("Boolean(window.draw)")


def draw(page: Page, data: dict) -> None:
    page.evaluate(
        "(data) => draw(document.querySelector('.root'), data, (name, value) => sent.push([name, value]))",
        data,
    )


def sent(page: Page) -> list:
    return page.evaluate("window.sent")
