"""A strip of tokens to click."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.views.widgets.registry import component, component_value


def token_strip(
    tokens: Sequence[dict[str, Any]], key: str, label: str, on_click: Callable[[int], None] | None = None
) -> None:
    """A line of large tokens; a click calls `on_click` with the token's index.

    A token is {"text", "name" (as a screen reader says it), "title" (on hover), "selected", "quiet",
    "glued" (no space before), "colour" and "ink" (ground and letters), "mark" (an underline: "solid",
    "dashed", "dotted"), "note" (below it)}; all but the text may be missing.
    """

    def clicked() -> None:
        index = component_value(key, "click", range(len(tokens)))
        if on_click is not None and index is not None:
            on_click(index)

    component("widgets/token_strip")(
        key=key,
        data={"tokens": list(tokens), "label": label, "active": on_click is not None},
        on_click_change=clicked,
    )
