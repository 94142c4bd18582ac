"""A notebook cell: components of the app's pages in a page of its own, which needs no server and no network.

The page stands in an iframe: several scripts find each other by their document, as on a page of the app, and
two cells do not meet. Notebooks insert it as it is, and run no script of ours in their own page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch
from html import escape
from typing import Any

from explorer.locale import N_, _
from explorer.short_text import WithShortText
from explorer.views.frame.saving import web_page
from explorer.views.frame.saving.web_page import Component

UNTRUSTED = N_("The picture is drawn by a script. Trust this notebook to see it.")
HEIGHT = 160  # px before the picture is drawn; the page makes its frame higher


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
            f"<div style='position: relative'><span style='position: absolute'>{_(UNTRUSTED)}</span>"
            f"<iframe style='{frame}' title='{title}' srcdoc='{text}'></iframe></div>"
        )


@singledispatch
def cell_of(result: Any) -> Cell | None:
    """The picture of a result; other modules register theirs. None for a result without one."""
    return None


def page(cell: Cell) -> str:
    """The page of a cell."""
    body = "".join(_body(cell))
    return web_page.page(cell.title, f'<main class="cell">\n{body}\n</main>', cell.components)


def _body(cell: Cell) -> Iterator[str]:
    if cell.title:
        yield f'<p dir="auto" translate="no">{escape(cell.title)}</p>\n'
    yield '<div class="beside">' if cell.beside else ""
    for number, part in enumerate(cell.components):
        yield web_page.place(number, part)
    yield "</div>" if cell.beside else ""
    if cell.notes:
        yield f'<p class="quiet">{escape(cell.notes)}</p>'


def _attribute(text: str) -> str:
    """A text as the value of an attribute in single quotes; scripts have more double ones."""
    for character, entity in (("&", "&amp;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(character, entity)
    return text
