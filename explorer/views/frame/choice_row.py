"""A row of choices: the simple ones are in it, the others behind “More”."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from explorer.views.frame.presenter import presenting
from explorer.views.frame.setting import Setting
from explorer.views.frame.settings import Settings

MOST_IN_A_ROW = 8  # choices across a projector


def choice_row(
    settings: Settings, name: Setting[str], label: str, labels: Mapping[str, str], more: Mapping[str, str]
) -> None:
    """Draw a setting's values by their labels; those in `more` join the row once chosen.

    `more` says in a line for whom each of them is; the line is below its button, unless it is empty.

    In presenter mode all are in the row if they fit.
    """
    show_all = presenting() and len(labels) <= MOST_IN_A_ROW
    in_row = [value for value in labels if value not in more or value == settings[name] or show_all]
    hidden = [value for value in labels if value not in in_row]
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")
    row.segmented_control(
        label,
        in_row,
        key=settings.key(name, label, labels.get),
        format_func=labels.__getitem__,
        required=True,
        label_visibility="collapsed",
        width="content",
    )
    if hidden:
        with row.popover("More", key=f"{settings.page}/more/{name}"):
            for value in hidden:
                st.button(
                    labels[value],
                    key=f"{settings.page}/more/{name}/{value}",
                    type="tertiary",
                    on_click=lambda value=value: settings.set(name.to(value)),
                )
                if more[value]:
                    st.html(f'<p class="rb-point">{escape(more[value])}</p>')
