"""What views of one layer and head share: the two choices, and a line about the text."""

from explorer.views.frame.view import OpenPage
from explorer.views.transformer.settings import HEAD, LAYER
from explorer.views.types import Encoding
from explorer.views.widgets.controls import numbered
from explorer.views.widgets.notes import note
from explorer.views.widgets.unread_characters import unread


def controls(page: OpenPage[None], decoder: bool = False) -> None:
    """Layer and head, brought within the model's range, or its decoder's."""
    settings, config = page.settings, page.model.config
    sizes = (config.decoder_layers, config.decoder_heads) if decoder else (config.layers, config.heads)
    for setting, size in zip((LAYER, HEAD), sizes):
        numbered(settings, setting, setting.capitalize(), size, width=120)


def note_unread(encoding: "Encoding") -> None:
    """A line about what of the text is not shown."""
    if remark := unread(encoding):
        note(remark)
