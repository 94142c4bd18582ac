"""A sentence, and a second one for models that read pairs: the settings `text` and `pair` of a page."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.setting import Change, Setting
from explorer.views.frame.settings import Settings
from explorer.views.widgets.notes import note_html
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.models import Model
TEXT, PAIR = Setting("text", ""), Setting("pair", "")  # each page that has them declares its own defaults


def first_text(settings: Settings, resets: Sequence[Change] = ()) -> Any:
    """Draw the sentence's box; returns the row, which may take a second one."""
    key = f"{settings.page}-texts"
    row = st.container(key=key, horizontal=True, vertical_alignment="top", gap="small")
    with row:
        text_box(settings, TEXT, "Your sentence", "Type a sentence", resets=resets)
    return row


def second_text(settings: Settings, row: Any, model: "Model", resets: Sequence[Change] = ()) -> None:
    """A second sentence for models that read pairs, folded away until asked for."""
    if not model.reads_pairs:
        return
    page = settings.page
    unfolded = f"{page}/second"

    def remove() -> None:
        settings.set(PAIR.to(""))
        st.session_state.pop(unfolded, None)

    with row:
        if settings[PAIR] or st.session_state.get(unfolded):
            text_box(settings, PAIR, "Second sentence", "Type a second sentence", resets=resets)
            st.button(
                ":material/close:", key=f"{page}/remove", help="Remove the second sentence", on_click=remove
            )
        else:
            st.button(
                "Add a second sentence",
                key=f"{page}/add",
                on_click=lambda: st.session_state.update({unfolded: True}),
            )
    if separator := typed_separator(model, settings[TEXT]):
        note = "is read as the token that ends a sentence, but the text stays one sentence."
        box = "A second sentence has a box of its own."
        note_html(f"{quoted(separator)} {note} {box}")


def typed_separator(model: "Model", text: str) -> str:
    """The separator of a model that reads pairs, where a person has written it into a text."""
    name = model.tokenizer.names.get("separator", "")
    if name.casefold() not in text.casefold():  # as nearly always: the text is not read once more
        return ""
    encoding = model.encode(text)
    typed = (encoding.special & ~encoding.frame).nonzero().flatten().tolist()
    return name if name in [encoding.tokens[i] for i in typed] else ""


def pair(settings: Settings, model: "Model") -> str:
    """The second sentence, where the model reads one."""
    return settings[PAIR].strip() if model.reads_pairs else ""
