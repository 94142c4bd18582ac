"""Masked words

Hide a word, and see which words the model expects in its place.
"""

from explorer.errors import ExplorerError
from explorer.views.frame.page import how_to_read, page, presets, show_code, show_error
from explorer.views.frame.settings import Settings
from explorer.views.masked import page as masked
from explorer.views.masked.presets import DEFAULTS, presets_for

SETTINGS = Settings("masked", **DEFAULTS)

with page("masked", SETTINGS) as header:
    chosen = masked.view(SETTINGS)
    chosen.ask(SETTINGS)
    model = header.model("FILL")
    code = ""
    try:
        chosen.draw(SETTINGS, model)
        code = chosen.code(SETTINGS, model)
    except ExplorerError as error:
        show_error(error)
    how_to_read(*chosen.how(SETTINGS))
    presets(SETTINGS, presets_for(SETTINGS["view"]))
    if code:
        show_code(code)
