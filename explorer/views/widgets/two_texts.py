"""A sentence, and a second one for models that read pairs: the settings `text` and `pair` of a page."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from explorer.locale import _
from explorer.server.session import Session
from explorer.views.settings.setting import Change, Setting
from explorer.views.settings.settings import Settings
from explorer.views.types import Model
from explorer.views.widgets.notes import note_html
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.visually_hidden import icon_button

TEXT, PAIR = Setting("text", ""), Setting("pair", "")  # each page that has them declares its own defaults

UNFOLDED = Session("second", False)  # whether the box of a second sentence is there, by page


def first_text(settings: Settings, resets: Sequence[Change] = ()) -> Any:
    """Draw the box of the sentence; returns its row, in which a second box may follow."""
    key = f"{settings.page}-texts"
    row = st.container(key=key, horizontal=True, vertical_alignment="top", gap="small")
    with row:
        text_box(settings, TEXT, _("Your sentence"), _("Type a sentence"), resets=resets)
    return row


def second_text(settings: Settings, row: Any, model: "Model", resets: Sequence[Change] = ()) -> None:
    """Draw the box of a second sentence for models that read pairs, once it is wanted.

    For others it says that they do not read the one that a link brings.
    """
    if not model.reads_pairs:
        if second := settings[PAIR].strip():
            note_html(
                _(
                    "The second sentence, {sentence}, is left out: this model reads one text.",
                    sentence=quoted(second),
                )
            )
        return
    page = settings.page
    unfolded = UNFOLDED.at(page)

    def remove() -> None:
        settings.set(PAIR.to(""))
        unfolded.take()

    with row:
        if settings[PAIR] or unfolded.get():
            text_box(settings, PAIR, _("Second sentence"), _("Type a second sentence"), resets=resets)
            icon_button("close", _("Remove the second sentence"), key=f"{page}/remove", on_click=remove)
        else:
            st.button(_("Add a second sentence"), key=f"{page}/add", on_click=lambda: unfolded.set(True))
    if separator := typed_separator(model, settings[TEXT]):
        note_html(
            _(
                "{separator} is read as the token that ends a sentence, but the text stays one sentence. "
                "A second sentence has a box of its own.",
                separator=quoted(separator),
            )
        )


def typed_separator(model: "Model", text: str) -> str:
    """The separator of a model that reads pairs if it occurs in a typed text; else empty."""
    name = model.tokenizer.names.get("separator", "")
    if name.casefold() not in text.casefold():  # nearly always: the text need not be tokenized
        return ""
    encoding = model.encode(text)
    positions = (encoding.special & ~encoding.frame).nonzero().flatten().tolist()
    return name if name in [encoding.tokens[i] for i in positions] else ""


def pair(settings: Settings, model: "Model") -> str:
    """The second sentence if the model reads pairs; else empty."""
    return settings[PAIR].strip() if model.reads_pairs else ""
