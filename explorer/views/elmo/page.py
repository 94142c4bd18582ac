"""ELMo's page: the row of views, and for the two readers a sentence with a chosen word."""

from collections.abc import Mapping
from typing import Any

from explorer.views.elmo import characters, sides
from explorer.views.elmo.settings import MODEL, VIEW_NAME
from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import OpenPage, Page, View, choose

VIEWS: Mapping[str, View[Any]] = {"sides": sides.VIEW, "characters": characters.VIEW}


def open(settings: Settings, header: Header) -> OpenPage[Any]:
    """The row of views and the model; for the readers the sentence too. Raises AbilityError."""
    view = choose(settings, VIEWS)
    if view is characters.VIEW:
        return OpenPage(settings, view, None, header.model("NEXT_WORD", "PREVIOUS_WORD"))
    sides.text_line(settings)
    model = header.model("NEXT_WORD", "PREVIOUS_WORD")
    line = sides.read_line(model, settings)
    sides.strip(settings, line)
    return OpenPage(settings, view, line, model)


PAGE = Page(name="sides", settings=(VIEW_NAME, MODEL), views=VIEWS, open=open)
