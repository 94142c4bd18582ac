"""Word vectors

Every word is a list of numbers, learnt from the company it keeps: words used alike point the same way.
"""

from explorer.errors import ExplorerError
from explorer.views.frame.page import how_to_read, page, picture, presets, show_code, show_error
from explorer.views.frame.settings import Settings
from explorer.views.vectors import page as vectors
from explorer.views.vectors.presets import DEFAULTS, PRESETS

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
