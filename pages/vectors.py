"""Word vectors

Every word is a list of numbers, learnt from the company it keeps: words used alike point the same way.
"""

from explorer.errors import ExplorerError
from explorer.views import vectors
from explorer.views.frame import how_to_read, page, picture, presets, show_code, show_error
from explorer.views.presets.vectors import DEFAULTS, PRESETS
from explorer.views.settings import Settings

SETTINGS = Settings("vectors", **DEFAULTS)

with page("vectors", SETTINGS) as header:
    chosen = vectors.view(SETTINGS)
    name = vectors.model(SETTINGS, header, chosen)
    with picture():
        try:
            chosen.draw(SETTINGS, name)
        except ExplorerError as error:
            show_error(error)
    how_to_read(*chosen.how(SETTINGS))
    presets(SETTINGS, PRESETS)
    show_code(chosen.code(SETTINGS))
