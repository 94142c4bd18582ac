"""A text box that commits as one types."""

from collections.abc import Callable

import streamlit as st

from explorer.views.frame.settings import Settings
from explorer.views.frame.values import longest
from explorer.views.widgets.registry import component


def text_box(
    settings: Settings,
    name: str,
    label: str,
    placeholder: str = "",
    lines: int = 1,
    on_change: Callable[[], None] | None = None,
) -> str:
    """A text that commits on Enter or a short pause; with several `lines`, Enter makes a new one.

    The text is the setting `name`; `on_change` runs after it has changed. A text that is longer than
    the setting takes loses its end, and the box says so.
    """
    key = f"{settings.page}.{name}.box"

    def commit() -> None:
        settings.take(**{name: st.session_state[key].text or ""})
        if on_change is not None:
            on_change()

    most = longest(settings.declared[name])
    component("widgets/text_box")(
        key=key,
        data={
            "text": settings[name],
            "label": label,
            "placeholder": placeholder,
            "lines": lines,
            "notice": f"The first {most:,} characters are kept; the rest was left out."
            if settings.cut(name)
            else "",
        },
        default={"text": settings[name]},
        on_text_change=commit,
    )
    return settings[name]
