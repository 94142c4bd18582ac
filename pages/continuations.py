"""Continuations

A model that reads from left to right writes on, one token at a time; see what it might have written instead.
"""

from explorer.errors import ExplorerError
from explorer.views.continuations import page as continuations
from explorer.views.continuations.presets import DEFAULTS
from explorer.views.frame.page import how_to_read, page, presets, show_code, show_error
from explorer.views.frame.settings import Settings

SETTINGS = Settings("continuations", **DEFAULTS)

with page("continuations", SETTINGS) as header:
    chosen = continuations.view(SETTINGS)
    model = header.model("GENERATE")
    try:
        chosen.draw(SETTINGS, model)
    except ExplorerError as error:
        show_error(error)
    how_to_read(*chosen.how(SETTINGS))
    presets(SETTINGS, chosen.PRESETS)
    show_code(chosen.code(SETTINGS))
