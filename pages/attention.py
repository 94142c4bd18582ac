"""Attention

What does one head look at? Each token on the left reads from the tokens on the right; thicker means more.
"""

from explorer.views import attention
from explorer.views.frame import how_to_read, page, picture, presets, show_code
from explorer.views.presets.attention import DEFAULTS, PRESETS
from explorer.views.settings import Settings

SETTINGS = Settings("attention", **DEFAULTS)

with page("attention", SETTINGS) as header:
    texts = attention.first_text(SETTINGS)
    model = header.model("ATTENTION")
    attention.second_text(SETTINGS, texts, model)
    trace = attention.trace(SETTINGS, model)
    attention.fit(SETTINGS, trace)
    attention.controls(SETTINGS, trace)
    with picture():
        attention.head(SETTINGS, trace)
    how_to_read(
        "A row of the map, in the order of the text, and the lines from the token beside it show the same "
        "weights; they sum to 1.",
        caveat="Attention is not explanation: a heavy line says what a head read, not why the model "
        "answered as it did (Jain and Wallace 2019; Wiegreffe and Pinter 2019).",
    )
    presets(SETTINGS, PRESETS)
    attention.bertviz(SETTINGS, model)
    show_code(attention.code(SETTINGS, model))
