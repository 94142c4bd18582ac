"""The start page has one view, and loads no model before somebody types."""

from collections.abc import Mapping

from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, View, nothing, picture
from explorer.views.home import start

NAME = "home"
SETTINGS = ()
VIEWS: Mapping[str, View[None]] = {"start": start.VIEW}
place, end = picture, nothing


def open(settings: Settings, header: Header) -> Page[None]:
    """Where the guesses come from."""
    header.badge(start.MODEL)
    return Page(settings, start.VIEW, None)
