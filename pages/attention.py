"""Attention

What does a head look at? Each token on the left reads from those on the right; a heavier line means more.
"""

from explorer.errors import ExplorerError
from explorer.views.attention import page as attention
from explorer.views.attention import sentence
from explorer.views.frame.page import how_to_read, page, picture, presets, show_code, show_error
from explorer.views.frame.settings import Settings

SETTINGS = Settings("attention", **attention.defaults())

with page("attention", SETTINGS) as header:
    texts = sentence.first_text(SETTINGS)
    model = header.model("ATTENTION")
    sentence.second_text(SETTINGS, texts, model)
    trace = sentence.trace(SETTINGS, model)
    chosen = attention.view(SETTINGS, trace)
    with picture():
        try:
            chosen.draw(SETTINGS, trace)
        except ExplorerError as error:
            show_error(error)
    if hasattr(chosen, "below"):
        chosen.below(SETTINGS, trace)
    how_to_read(*chosen.how(SETTINGS))
    presets(SETTINGS, chosen.presets(SETTINGS))
    show_code(chosen.code(SETTINGS, model))
