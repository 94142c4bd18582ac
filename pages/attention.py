"""Attention

What does a head look at? Each token on the left reads from those on the right; a heavier line means more.
"""

from explorer.views import attention, bertviz
from explorer.views.frame import how_to_read, page, picture, presets, show_code
from explorer.views.presets.attention import DEFAULTS, HOW_TO_READ, presets_for
from explorer.views.settings import Settings

SETTINGS = Settings("attention", **DEFAULTS)

with page("attention", SETTINGS) as header:
    texts = attention.first_text(SETTINGS)
    model = header.model("ATTENTION")
    attention.second_text(SETTINGS, texts, model)
    trace = attention.trace(SETTINGS, model)
    attention.fit(SETTINGS, trace)
    attention.controls(SETTINGS, trace)
    view = SETTINGS["view"]
    if view != "head":
        bertviz.controls(SETTINGS, trace)
    with picture():
        draw = attention.head if view == "head" else bertviz.draw
        draw(SETTINGS, trace)
    how_to_read(*HOW_TO_READ[view])
    presets(SETTINGS, presets_for(view))
    if view != "head":
        bertviz.save(SETTINGS, trace)
    show_code(attention.code(SETTINGS, model))
