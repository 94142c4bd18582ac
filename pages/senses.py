"""Word senses

One word, many sentences: each dot is the word as the model sees it in one of them.
"""

import streamlit as st

from explorer.errors import TextError
from explorer.views import look, senses
from explorer.views.frame import how_to_read, page, picture, presets, show_code
from explorer.views.presets.senses import DEFAULTS, PRESETS
from explorer.views.settings import Settings

SETTINGS = Settings("senses", **DEFAULTS)

with page("senses", SETTINGS) as header:
    model = header.model("CONTEXT")
    seen = None
    with picture():
        left, right = st.columns([38, 62], gap="medium")
        with right.container(gap="xsmall"):
            senses.controls(SETTINGS, model)
            try:
                seen = look.look(SETTINGS["model"], SETTINGS["text"], SETTINGS["word"])
                senses.draw_map(SETTINGS, seen)
            except TextError as error:
                senses.problem(error)
        with left.container(gap="xsmall"):
            senses.word_box(SETTINGS)
            senses.sentences_box(SETTINGS)
            if seen is not None:
                senses.neighbours(SETTINGS, seen)
    if seen is not None:
        senses.matrix(SETTINGS, seen)
    how_to_read(
        "Colour and shape are the sense you wrote after #, which the model never sees. "
        "Where dots of one sense gather, the model keeps that sense apart.",
        senses.caveat(model),
    )
    presets(SETTINGS, PRESETS)
    show_code(senses.code(SETTINGS))
