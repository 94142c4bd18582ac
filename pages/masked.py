"""Masked words

Hide a word, and see which words the model expects in its place.
"""

from explorer.errors import ExplorerError
from explorer.views import masked
from explorer.views.frame import how_to_read, page, presets, show_code, show_error
from explorer.views.presets.masked import DEFAULTS, presets_for
from explorer.views.settings import Settings

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
