"""What views of one layer and head share: the two choices, and lines about the text."""

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.view import Page
from explorer.views.widgets.passed_over import passed_over

if TYPE_CHECKING:
    from explorer.trace import Encoding


def controls(page: "Page[Any]", decoder: bool = False) -> None:
    """Layer and head, brought within the model's range, or its decoder's."""
    settings, config = page.settings, page.model.config
    sizes = (config.decoder_layers, config.decoder_heads) if decoder else (config.layers, config.heads)
    for name, size in zip(("layer", "head"), sizes):
        settings.fit(**{name: min(max(settings[name], 0), size - 1)})
        st.selectbox(
            name.capitalize(),
            range(size),
            key=settings.key(name),
            width=120,
            label_visibility="collapsed",
            format_func=f"{name.capitalize()} {{}}".format,
        )


def invite() -> None:
    """What stands in the picture's place while nothing is typed."""
    st.html('<p class="rb-caption" style="padding:160px 0;text-align:center">Type a sentence above.</p>')


def unread(encoding: "Encoding") -> None:
    """What of the text is not shown."""
    more = "1 more is" if encoding.cut == 1 else f"{encoding.cut} more are"
    cut = f"Cut at {len(encoding)} tokens; {more} not shown." if encoding.cut else ""
    if said := " ".join(filter(None, [cut, passed_over(encoding)])):
        st.html(f'<p class="rb-quiet" style="margin:0">{escape(said)}</p>')
