"""Rows of text that a model writes past the page (`server.stream`), in the page's own style.

A part of a row is a text, or an element: ["b", {"class": "own"}, *parts].
"""

from collections.abc import Callable, Iterator
from html import escape
from typing import Any, TypeVar

from explorer.server import stream
from explorer.server.growing import Growing
from explorer.server.session import Session
from explorer.views.widgets.registry import component, component_value

FIRST_SECONDS = 0.1  # of writing, before the page is drawn with what is there
PORTION_SECONDS = 0.25  # of writing for a page whose stream does not arrive
Result = TypeVar("Result")


class GrowingRows(Growing[None]):
    """The `rows` of what is `written` for a request, which `steps` extend; any thread may ask for them."""

    def __init__(
        self, request: Any, written: Any, steps: Iterator[None], rows: Callable[[], list[Any]]
    ) -> None:
        super().__init__(request, steps, FIRST_SECONDS)
        self.written, self.rows = written, rows
        self.answers = 0

    def press(self, run: int, name: str) -> None:
        """They have no buttons."""

    def grow(self) -> None:
        """Take a step."""
        self.lock.give_way()
        self.extend(0.0)

    def read(self, make: Callable[[], Result]) -> Result:
        """What is made of what is written, between two steps."""
        with self.lock:
            return make()

    def drawn(self) -> dict[str, Any]:
        """The rows as the component draws them."""
        return self.read(
            lambda: {
                "run": self.number,
                "count": self.count,
                "going": not self.finished,
                "chips": self.rows(),
            }
        )


def as_html(part: Any) -> str:
    """A part as the page draws it itself.

    >>> as_html(["b", {"title": "<"}, "a < ", ["u", {}, "b"]])
    '<b title="&lt;">a &lt; <u>b</u></b>'
    """
    if isinstance(part, str):
        return escape(part)
    tag, attributes, *parts = part
    names = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag}{names}>{''.join(map(as_html, parts))}</{tag}>"


def draw_rows(run: GrowingRows, key: str, own: "Session[stream.Stream | None]") -> bool:
    """Draw the rows while they grow; returns whether they are finished, with nothing drawn."""
    if not run.count:
        run.extend()
    if run.finished:
        return True

    def more() -> None:
        shape = {"run": run.number, "count": int, "answers": run.answers}
        if component_value(key, "more", shape) and not run.finished:
            run.answers += 1
            run.extend(PORTION_SECONDS)

    followed = stream.of(own)
    followed.text = run
    component("widgets/growing_rows", False)(
        key=key,
        data=run.drawn() | followed.data | {"answers": run.answers},
        offline=lambda: run.drawn() | {"going": False},
        on_more_change=more,
    )
    return False
