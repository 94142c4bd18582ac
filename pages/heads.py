"""What heads do

Some look one word back, some from an object to its verb: find out which does what, and whether it matters.
"""

from explorer.errors import ExplorerError
from explorer.views.frame.page import how_to_read, page, picture, presets, show_code, show_error
from explorer.views.frame.settings import Settings
from explorer.views.heads import page as heads
from explorer.views.heads.presets import DEFAULTS

SETTINGS = Settings("heads", **DEFAULTS)

with page("heads", SETTINGS) as header:
    chosen = heads.view(SETTINGS)
    model = heads.model(header)
    with picture():
        try:
            chosen.draw(SETTINGS, model)
        except ExplorerError as error:
            show_error(error)
    how_to_read(*chosen.how(SETTINGS))
    presets(SETTINGS, chosen.PRESETS)
    if hasattr(chosen, "below"):
        chosen.below(SETTINGS)
    show_code(chosen.code(SETTINGS, model))
