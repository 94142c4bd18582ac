"""What stands above the two readers' lists: the sentence, and the place in it that both are asked about."""

from typing import Any

from explorer.views.elmo import sides
from explorer.views.frame.page import Header
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, nothing, picture

NAME = "sides"
SETTINGS: dict[str, Any] = {}
VIEWS = {"sides": sides}
place, end = picture, nothing


def open(settings: Settings, header: Header) -> Page[sides.Line]:
    """The text box, the model, and the sentence word by word. Raises AbilityError for other models."""
    sides.text_line(settings)
    model = header.model("NEXT_WORD", "PREVIOUS_WORD")
    line = sides.read_line(model, settings)
    sides.strip(settings, line)
    return Page(settings, sides, line, model)
