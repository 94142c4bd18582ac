"""The notice above a picture that is not of what was asked for."""

from typing import Any

from explorer.errors import ExplorerError
from explorer.server import memory
from explorer.views.frame import unreadable
from explorer.views.frame.lecture import lecturing
from explorer.views.frame.view import UNABLE, UNKNOWN_VIEW, Page
from explorer.views.settings.setting import HOME_MODEL, MODEL, VIEW_NAME
from explorer.views.settings.settings import Settings


def notice(page: Page[Any], settings: Settings) -> str:
    """What the chosen model cannot do or read, or the view that the page lacks; else empty."""
    return _unable(settings) or _unknown_view(page, settings) or _unreadable(settings)


def _unable(settings: Settings) -> str:
    """A notice if the chosen model cannot do what the view shows; else empty."""
    if not (name := UNABLE.take()):
        return ""
    shown = memory.short_label(settings[MODEL])
    return (
        f"{memory.short_label(name)} cannot do what this view shows: here it is {shown}. The list has others."
    )


def _unknown_view(page: Page[Any], settings: Settings) -> str:
    """A notice if the address names a view that the page does not have; else empty."""
    of_page, name = UNKNOWN_VIEW.get()
    is_first = of_page == settings.page and settings[VIEW_NAME] == next(iter(settings.views))
    if not is_first or name in page.views:  # a view may lack with some models only
        UNKNOWN_VIEW.take()
        return ""
    name = lecturing.plain(str(name)[:40])
    return f"This page has no view “{name}”, so its first one is shown. Choose another above."


def _unreadable(settings: Settings) -> str:
    """A notice if the page's model, once loaded, cannot read what was typed; else empty."""
    name = settings[MODEL] if MODEL in settings.defaults else HOME_MODEL
    texts = [text for box in settings.text_labels if (text := str(settings.value(box))).strip()]
    try:
        return unreadable.notice(memory.canonical(name), texts) if texts and memory.loaded(name) else ""
    except ExplorerError:  # the view shows what a model of whole words refuses
        return ""
