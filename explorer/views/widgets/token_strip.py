"""A strip of tokens to click, and one in which a click chooses a word."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.views.settings.setting import Setting
from explorer.views.settings.settings import Settings
from explorer.views.widgets.registry import component, component_value


def token_strip(
    tokens: Sequence[dict[str, Any]],
    key: str,
    label: str,
    on_click: Callable[[int], None] | None = None,
) -> None:
    """A line of large tokens; a click calls `on_click` with the token's index.

    A token is {"text", "title" (on hover), "selected", "quiet", "glued" (no space before),
    "colour" and "ink" (ground and letters), "mark" (an underline: "solid", "dashed", "dotted")};
    all but the text may be missing.
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


def word_strip(
    settings: Settings,
    place: Setting[int],
    words: Sequence[str],
    chosen: int,
    key: str,
    title: str,
    spans: Sequence[tuple[int, int]] = (),
) -> None:
    """A sentence word by word; a click stores the word's place, counted from 1, in a setting.

    `chosen` is the index of the chosen word, `title` the hint on a word; words whose `spans` in the text
    touch have no space between them.
    """

    def clicked(index: int) -> None:
        if index < len(words):
            settings.set(place.to(index + 1))

    tokens = [
        {
            "text": word,
            "glued": i > 0 and bool(spans) and spans[i - 1][1] == spans[i][0],
            "selected": i == chosen,
            "title": title,
        }
        for i, word in enumerate(words)
    ]
    token_strip(tokens, key, f"The words of the sentence; {title}", clicked)
