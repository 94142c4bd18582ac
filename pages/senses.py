"""Word senses

One word, many sentences: each dot is the word as the model sees it in one of them.
"""

import streamlit as st

from explorer.errors import TextError
from explorer.views import look, own_text_panel, sense_map, senses
from explorer.views.frame import how_to_read, page, picture, presets, show_code
from explorer.views.presets.senses import DEFAULTS, PRESETS
from explorer.views.settings import Settings

SETTINGS = Settings("senses", **DEFAULTS, **own_text_panel.DEFAULTS)

with page("senses", SETTINGS) as header:
    model = header.model("CONTEXT", "VECTORS")
    sense_map.fit(SETTINGS, model)
    own = SETTINGS["own"]
    seen = problem = None
    try:
        if own:
            seen = own_text_panel.look(SETTINGS)
        else:
            seen = look.look(SETTINGS["model"], SETTINGS["text"], SETTINGS["word"])
    except TextError as error:
        problem = error
    with picture():
        left, right = st.columns([36, 64], gap="medium")
        with right.container(gap="xsmall"):
            sense_map.controls(SETTINGS, seen)
            if seen is None:
                senses.problem(problem)
            else:
                sense_map.draw(SETTINGS, seen)
        with left.container(gap="xsmall"):
            if own:
                own_text_panel.panel(SETTINGS)
            else:
                senses.word_box(SETTINGS)
                senses.sentences_box(SETTINGS)
            if seen is not None:
                sense_map.neighbours(SETTINGS, seen)
    if seen is not None:
        senses.matrix(SETTINGS, seen)
    how_to_read(senses.how_to_read(SETTINGS, seen), senses.caveat(model))
    presets(SETTINGS, PRESETS)
    show_code(**own_text_panel.code(SETTINGS) if own else {"code": senses.code(SETTINGS)})
