"""Continuations

A model that reads from left to right writes on, one token at a time; see what it might have written instead.
"""

from explorer.views.components import text_box
from explorer.views.continuations import code, continuation, controls, current
from explorer.views.frame import how_to_read, page, picture, presets, show_code
from explorer.views.presets.continuations import DEFAULTS, PRESETS
from explorer.views.settings import Settings

SETTINGS = Settings("continuations", **DEFAULTS)

with page("continuations", SETTINGS) as header:
    text_box(
        SETTINGS, "text", "Prompt", "Type the beginning of a text", on_change=lambda: SETTINGS.set(token=-1)
    )
    controls(SETTINGS)
    model = header.model("GENERATE")
    with picture():
        continuation(SETTINGS, current(SETTINGS, model))
    how_to_read(
        "Colour says how probable a token was, the line under it its place in the model’s list. In a bar, "
        "filled is the chance of being drawn, outlined the model’s own probability before temperature and "
        "cuts. Same prompt, settings and seed: same text.",
        caveat="A small model trained for an hour: its phrases are fluent, its facts are not."
        if SETTINGS["model"] == "gpt"
        else "A model writes what is probable, not what is true.",
    )
    presets(SETTINGS, PRESETS)
    show_code(code(SETTINGS))
