"""Our own small components: a text box that commits as one types, and a strip of tokens to click.

Their JavaScript lies beside the Python that feeds it. What a person typed reaches it through `data=` only
and is written with textContent, so a token such as </script> stays text.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.views.frame.settings import Settings

VIEWS = Path(__file__).parents[1]
SHARED = VIEWS / "widgets"
USES = re.compile(r"^(?://|/\*) uses ([a-z, ]+?)(?: \*/)?$", re.MULTILINE)


@cache
def component(name: str, *parts: str) -> Callable[..., Any]:
    """Register ROOM/NAME.js (with its .css) of this package once, and return its mount.

    A long one has `parts`, NAME_PART.js each, whose functions all see one another. What several
    components have in common lies in widgets and comes before them: a file says `uses dom, names`.
    """
    files = [f"{name}_{part}.js" for part in parts] + [f"{name}.js"]
    return st.components.v2.component(
        f"riverbank_{name.rpartition('/')[2]}",
        html='<div class="root"></div>',
        css=source(f"{name}.css"),
        js=source(*files),
    )


def source(*files: str) -> str:
    """Files of this package one after the other, after those in widgets that their comments name."""
    texts = [(VIEWS / file).read_text(encoding="utf-8") for file in files]
    used = [name for text in texts for names in USES.findall(text) for name in names.split(", ")]
    suffix = Path(files[0]).suffix
    shared = [(SHARED / f"{name}{suffix}").read_text(encoding="utf-8") for name in dict.fromkeys(used)]
    return "\n".join([*shared, *texts])


def text_box(
    settings: Settings,
    name: str,
    label: str,
    placeholder: str = "",
    lines: int = 1,
    on_change: Callable[[], None] | None = None,
) -> str:
    """A text that commits on Enter or a short pause; with several `lines`, Enter makes a new one.

    The text is the setting `name`; `on_change` runs after it has changed.
    """
    key = f"{settings.page}.{name}.box"

    def commit() -> None:
        settings.set(**{name: st.session_state[key].text or ""})
        if on_change is not None:
            on_change()

    component("widgets/text_box")(
        key=key,
        data={"text": settings[name], "label": label, "placeholder": placeholder, "lines": lines},
        default={"text": settings[name]},
        on_text_change=commit,
    )
    return settings[name]


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
        index = st.session_state[key].click
        if on_click is not None and index is not None:
            on_click(int(index))

    component("widgets/token_strip")(
        key=key,
        data={"tokens": list(tokens), "label": label, "active": on_click is not None},
        on_click_change=clicked,
    )
