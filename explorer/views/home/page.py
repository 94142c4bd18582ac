"""The start page: one view, and no model before somebody types."""

from collections.abc import Mapping

from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View
from explorer.views.home import start
from explorer.views.settings.settings import Settings

VIEWS: Mapping[str, View[None]] = {"start": start.VIEW}


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """The badge of the model that guesses."""
    header.badge(start.MODEL)
    return OpenPage(settings, start.VIEW, None)


PAGE = Page(name="home", views=VIEWS, open=open)
