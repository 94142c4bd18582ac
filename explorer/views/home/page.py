"""The start page: pictures that move, one view, and no model before somebody clicks or types."""

from collections.abc import Mapping

from explorer.views.frame import presenter
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.lecture import lecturing
from explorer.views.frame.page import Header
from explorer.views.frame.view import OpenPage, Page, View
from explorer.views.home import lectures, moving_pictures, start
from explorer.views.home.guesses import MODEL
from explorer.views.settings.settings import Settings
from explorer.views.widgets.text_box import MASK

VIEWS: Mapping[str, View[None]] = {"start": start.VIEW}


def open(settings: Settings, header: Header) -> OpenPage[None]:
    """The badge of the model that guesses or writes; no lecture is offered and nothing moves during one."""
    header.badge(MODEL if MASK in start.text_of(settings) else WRITER)
    if not presenter.presenting() and lecturing.at() is None:
        lectures.offer()
        moving_pictures.draw()
    return OpenPage(settings, start.VIEW, None)


PAGE = Page(name="home", views=VIEWS, open=open)
