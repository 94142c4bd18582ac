"""What views of one layer and head share: the two choices, and a line about the text."""

from explorer.locale import _
from explorer.views import kit
from explorer.views.transformer.settings import HEAD, LAYER
from explorer.views.types import Encoding


def controls(page: kit.OpenPage[None], decoder: bool = False) -> None:
    """Layer and head, brought within the model's range, or its decoder's."""
    settings, config = page.settings, page.model.config
    sizes = (config.decoder_layers, config.decoder_heads) if decoder else (config.layers, config.heads)
    for setting, label, size in zip((LAYER, HEAD), (_("Layer"), _("Head")), sizes):
        kit.numbered(settings, setting, label, size, width=120)


def note_unread(encoding: "Encoding") -> None:
    """A line about what of the text is not shown."""
    if remark := kit.unread(encoding):
        kit.note(remark)
