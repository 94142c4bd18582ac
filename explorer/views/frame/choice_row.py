"""A row of choices: the simple ones are in it, the others behind “More”."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from explorer.locale import _
from explorer.server.streamlit_private import draw_kept
from explorer.views.frame import popovers
from explorer.views.frame.presenter import presenting
from explorer.views.settings.setting import Setting
from explorer.views.settings.settings import Settings

MOST_IN_A_ROW = 8  # choices across a projector
POPOVER = "more"


def choice_row(
    settings: Settings, name: Setting[str], label: str, labels: Mapping[str, str], more: Mapping[str, str]
) -> None:
    """Draw a setting's values by their labels; those in `more` are behind “More”, which names the chosen one.

    The row is the same whatever is chosen. `more` says in a line for whom each of them is; the line is below
    its button, unless it is empty.

    In presenter mode all are in the row if they fit.
    """
    show_all = presenting() and len(labels) <= MOST_IN_A_ROW
    in_row = [value for value in labels if value not in more or show_all]
    hidden = [value for value in labels if value not in in_row]
    row = st.container(
        key=f"row/{name}", horizontal=True, vertical_alignment="center", gap="small", width="content"
    )
    with row:
        if settings[name] in in_row:
            st.segmented_control(
                label,
                in_row,
                key=settings.key(name, label, labels.get),
                format_func=labels.__getitem__,
                required=True,
                label_visibility="collapsed",
                width="content",
            )
        else:
            settings.label(name, label, labels.get)
            _row_without_choice(settings, name, label, {value: labels[value] for value in in_row})
        if hidden:
            _more(settings, name, {value: labels[value] for value in hidden}, more)


def _row_without_choice(
    settings: Settings, name: Setting[str], label: str, labels: Mapping[str, str]
) -> None:
    """The same row while the chosen value is behind “More”."""
    key = f"{settings.page}/row/{name}"

    def choose() -> None:
        settings.set(name.to(st.session_state[key]))

    st.session_state.pop(key, None)
    st.segmented_control(
        label,
        list(labels),
        key=key,
        format_func=labels.__getitem__,
        label_visibility="collapsed",
        width="content",
        on_change=choose,
    )


def _more(settings: Settings, name: Setting[str], labels: Mapping[str, str], more: Mapping[str, str]) -> None:
    """The popover “More”, which closes when a value is chosen: a new one takes its place."""
    chosen = settings[name] if settings[name] in labels else None
    look = "more" if chosen is None else "more-chosen"

    def choose(value: str) -> None:
        settings.set(name.to(value))
        popovers.close(POPOVER)

    def draw() -> None:
        for value, text in labels.items():
            st.button(
                f"**{text}**" if value == chosen else text,
                key=f"{settings.page}/more/{name}/{value}",
                type="tertiary",
                on_click=choose,
                args=(value,),
            )
            if more[value]:
                st.html(f'<p class="rb-point">{escape(more[value])}</p>')

    title = _("More") if chosen is None else _("{page}: {view}", page=_("More"), view=labels[chosen])
    box = st.popover(title, key=f"{settings.page}/{look}/{name}/{popovers.times_closed(POPOVER)}")
    draw_kept(box, f"more/{name}", (chosen, labels, more), draw)
