"""The start page: pictures that move, one view, and no model before somebody clicks or types."""

from collections.abc import Mapping

from explorer.views import kit
from explorer.views.frame.lecture import lecturing
from explorer.views.home import lectures, moving_pictures, start
from explorer.views.home.guesses import MODEL

VIEWS: Mapping[str, kit.View[None]] = {"start": start.VIEW}


def open(settings: kit.Settings, header: kit.Header) -> kit.OpenPage[None]:
    """The badge of the model that guesses or writes; no lecture is offered and nothing moves during one."""
    header.badge(MODEL if kit.MASK in start.text_of(settings) else kit.WRITER)
    if not kit.presenter.presenting() and lecturing.at() is None:
        lectures.offer()
        moving_pictures.draw()
    return kit.OpenPage(settings, start.VIEW, None)


PAGE = kit.Page(name="home", views=VIEWS, open=open)
