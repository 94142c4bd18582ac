"""A text box that commits as one types."""

from collections.abc import Callable

import streamlit as st

from explorer.views.frame.settings import Settings
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
