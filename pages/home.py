"""Start here

Small language models run on this computer. Type, click, and watch what they make of your words.
"""

import streamlit as st

from explorer.views import home
from explorer.views.components import text_box
from explorer.views.frame import how_to_read, page, picture, presets, show_code
from explorer.views.presets.home import DEFAULTS, PRESETS
from explorer.views.settings import Settings

SETTINGS = Settings("home", **DEFAULTS)

with page("home", SETTINGS) as header:
    header.badge(home.MODEL)
    with picture():
        left, right = st.columns([3, 2], gap="large")
        with right:
            home.models_in_words()
        with left:
            text_box(SETTINGS, "text", "A sentence with [MASK] in it", "Write a sentence with [MASK] in it")
            home.draw(SETTINGS, home.guesses(SETTINGS))
    home.ways_onward()
    how_to_read(
        "Each bar is a word that BERT could put in place of [MASK], as long as it finds the word likely.",
        "It learnt from text: likely is not the same as true.",
    )
    presets(SETTINGS, PRESETS)
    show_code(
        f"""import explorer

model = explorer.load({home.MODEL!r})
print(explorer.analysis.prediction.fill_mask(model, {SETTINGS["text"]!r}, top={home.ROWS}))"""
    )
