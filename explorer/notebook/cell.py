"""A notebook cell: components of the app's pages in a page of its own, which needs no server and no network.

The page stands in an iframe: several scripts find each other by their document, as on a page of the app, and
two cells do not meet. Notebooks insert it as it is, and run no script of ours in their own page.
"""

import base64
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, singledispatch
from html import escape
from pathlib import Path
from typing import Any

from explorer.short_text import WithShortText
from explorer.views.look import theme
from explorer.views.widgets.registry import module, sheet, style

HERE = Path(__file__).parent
# The app serves its typefaces. Here those of the system come first, or quotes would be Chinese ones.
SYSTEM_SANS = '"Source Sans 3", "Segoe UI", "Helvetica Neue", Arial, system-ui'
SYSTEM_MONO = '"Source Code Pro", ui-monospace, Consolas, "Liberation Mono"'
# Names that Streamlit gives the theme's values.
NAMES = (
    f"--rb-sans: {SYSTEM_SANS}, {theme.SANS}; --rb-mono: {SYSTEM_MONO}, {theme.MONO}; "
    "--st-font: var(--rb-sans); --st-heading-font: var(--rb-sans); --st-code-font: var(--rb-mono); "
    "--st-background-color: var(--rb-ground); --st-primary-color: var(--rb-accent);"
)
UNTRUSTED = "The picture is drawn by a script. Trust this notebook to see it."
HEIGHT = 160  # px before the picture is drawn; the page makes its frame higher


@dataclass(frozen=True)
class Component:
    """A component of the app and its data; `dark` are those for a dark page, if colours are among them.

    `heading` is a text above it.
    """

    name: str
    data: Any
    dark: Any = None
    heading: str = ""


@dataclass(frozen=True, repr=False)
class Cell(WithShortText):
    """Components from top to bottom, or `beside` each other, with texts above and below."""

    components: Sequence[Component]
    title: str = ""
    notes: str = ""
    beside: bool = False
    height: int = HEIGHT

    def _repr_html_(self) -> str:
        """HTML for any notebook: an iframe with everything in it."""
        frame = f"width: 100%; height: {self.height}px; border: 0; display: block; position: relative"
        title, text = _attribute(self.title), _attribute(page(self))
        return (
            f"<div style='position: relative'><span style='position: absolute'>{UNTRUSTED}</span>"
            f"<iframe style='{frame}' title='{title}' srcdoc='{text}'></iframe></div>"
        )


@singledispatch
def cell_of(result: Any) -> Cell | None:
    """The picture of a result; other modules register theirs. None for a result without one."""
    return None


def page(cell: Cell) -> str:
    """The page of a cell. What a visitor typed is in it as data alone, where no token can end a script."""
    parts = [
        {
            "id": f"part-{number}",
            "name": part.name,
            "light": part.data,
            "dark": part.dark,
            "css": sheet(part.name),
        }
        for number, part in enumerate(cell.components)
    ]
    names = dict.fromkeys(part.name for part in cell.components)
    scripts = "".join(f'<script type="module">{_script(name)}</script>\n' for name in names)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(cell.title)}</title>
<style>{_colours()}
{style("page.css", HERE)}</style></head><body><main>
{"".join(_body(cell))}
</main>
<script type="application/json" id="data">{data_text(parts)}</script>
<script>window.riverbank = {{}};</script>
{scripts}<script type="module">{module("page.js", HERE)}</script>
</body></html>
"""


def data_text(data: Any) -> str:
    """Data as JSON inside a script element: no character of it can end the element or a line.

    >>> data_text(["</script>"])
    '["\\\\u003c/script\\\\u003e"]'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=_bytes)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _bytes(data: Any) -> dict[str, str]:
    if not isinstance(data, bytes):
        raise TypeError(f"{type(data).__name__} is no data for a component")
    return {"base64": base64.b64encode(data).decode()}


def _body(cell: Cell) -> Iterator[str]:
    if cell.title:
        yield f'<p dir="auto" translate="no">{escape(cell.title)}</p>\n'
    yield '<div class="beside">' if cell.beside else ""
    for number, part in enumerate(cell.components):
        heading = f'<p class="quiet" dir="auto" translate="no">{escape(part.heading)}</p>'
        picture = f'<div id="part-{number}"></div>'
        css = part.name.replace("/", "-")
        yield f'<div class="st-key-{css}">{heading if part.heading else ""}{picture}</div>'
    yield "</div>" if cell.beside else ""
    if cell.notes:
        yield f'<p class="quiet">{escape(cell.notes)}</p>'


@cache
def _script(name: str) -> str:
    """A component's script, which leaves its `draw` where the page finds it."""
    return f'{module(f"{name}.js")}\nwindow.riverbank["{name}"] = draw;'


@cache
def _colours() -> str:
    dark = theme.css_variables(theme.DARK)
    return (
        f":root {{ {theme.css_variables(theme.LIGHT)} }}\n"
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}\n'
        f':root[data-theme="dark"] {{ {dark} }}\n'
        f"html:root:root {{ {NAMES} }}"
    )


def _attribute(text: str) -> str:
    """A text as the value of an attribute in single quotes; scripts have more double ones."""
    for character, entity in (("&", "&amp;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(character, entity)
    return text
