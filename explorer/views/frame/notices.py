"""The notice above a picture that is not of what was asked for."""

from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.errors import ExplorerError
from explorer.locale import _
from explorer.server import memory
from explorer.views.frame import unreadable
from explorer.views.frame.lecture import lecturing
from explorer.views.frame.unreadable import Notice
from explorer.views.frame.view import UNABLE, UNKNOWN_VIEW, Page
from explorer.views.settings.setting import HOME_MODEL, MODEL, VIEW_NAME
from explorer.views.settings.settings import Settings


def notice(page: Page[Any], settings: Settings, needs: Sequence[str], own: str = "") -> Notice:
    """What the chosen model cannot do or read, with one that can, or the view that the page lacks.

    `own` is a view's own model, which is read instead of the chosen one.
    """
    if text := _unable(settings) or _unknown_view(page, settings):
        return Notice(text)
    return _unreadable(page, settings, needs, own)


def draw(notice: Notice, place: DeltaGenerator, settings: Settings) -> None:
    """Draw a notice, with a button for the model that reads what this one does not."""
    if not notice.reader or MODEL not in settings.defaults:
        place.warning(notice.text)
        return
    with place.container(key="unread", gap="xxsmall"):
        st.warning(notice.text)
        label = _("Try {model}", model=memory.short_label(notice.reader))
        st.button(label, key="unread/reader", on_click=settings.set, args=(MODEL.to(notice.reader),))


def _unable(settings: Settings) -> str:
    """A notice if the chosen model cannot do what the view shows; else empty."""
    if not (name := UNABLE.take()):
        return ""
    shown = memory.short_label(settings[MODEL])
    return _(
        "{model} cannot do what this view shows: here it is {shown}. The list has others.",
        model=memory.short_label(name),
        shown=shown,
    )


def _unknown_view(page: Page[Any], settings: Settings) -> str:
    """A notice if the address names a view that the page does not have; else empty."""
    of_page, name = UNKNOWN_VIEW.get()
    is_first = of_page == settings.page and settings[VIEW_NAME] == next(iter(settings.views))
    if not is_first or name in page.views:  # a view may lack with some models only
        UNKNOWN_VIEW.take()
        return ""
    name = lecturing.plain(str(name)[:40])
    return _("This page has no view “{name}”, so its first one is shown. Choose another above.", name=name)


def _unreadable(page: Page[Any], settings: Settings, needs: Sequence[str], own: str) -> Notice:
    """A notice if the page's model, once loaded, does not read what was typed; else an empty one."""
    name = own or (settings[MODEL] if MODEL in settings.defaults else HOME_MODEL)
    texts = [text for box in settings.text_labels if (text := str(settings.value(box))).strip()]
    several = MODEL not in settings.defaults and page.name != "home"  # a page of several models, or of none
    if not texts or several or not memory.loaded(name):
        return Notice()
    try:
        return unreadable.notice(memory.canonical(name), texts, needs)
    except ExplorerError:  # the view shows what a model of whole words refuses
        return Notice()
