"""A row of choices: the simple ones stand in it, the others behind “More”."""

from collections.abc import Collection, Mapping

import streamlit as st

from explorer.views.frame.presenter import presenting
from explorer.views.frame.setting import Setting
from explorer.views.frame.settings import Settings

MOST_IN_A_ROW = 8  # choices across a projector


def choice(
    settings: Settings, name: Setting[str], label: str, labels: Mapping[str, str], more: Collection[str]
) -> None:
    """The row of a setting's values, by what each is called; those in `more` join it once chosen.

    In presenter mode all are at hand, and none stands behind “More”, if they fit a row.
    """
    all_ = presenting() and len(labels) <= MOST_IN_A_ROW
    open_ = [one for one in labels if one not in more or one == settings[name] or all_]
    hidden = [one for one in labels if one not in open_]
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", width="content")
    row.segmented_control(
        label,
        open_,
        key=settings.key(name, label, labels.get),
        format_func=labels.__getitem__,
        required=True,
        label_visibility="collapsed",
        width="content",
    )
    if hidden:
        with row.popover("More", key=f"{settings.page}/more/{name}"):
            for one in hidden:
                st.button(
                    labels[one],
                    key=f"{settings.page}/more/{name}/{one}",
                    type="tertiary",
                    on_click=lambda value=one: settings.set(name.to(value)),
                )
