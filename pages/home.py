"""Start here

Small language models run on this computer. Type, click, and watch what they make of your words.
"""

import streamlit as st

from explorer.views.frame.page import how_to_read, page, picture, presets, show_code
from explorer.views.frame.settings import Settings
from explorer.views.home import start
from explorer.views.home.presets import DEFAULTS, PRESETS
from explorer.views.widgets.registry import text_box

SETTINGS = Settings("home", **DEFAULTS)

with page("home", SETTINGS) as header:
    header.badge(start.MODEL)
    with picture():
        left, right = st.columns([3, 2], gap="large")
        with right:
            start.models_in_words()
        with left:
            text_box(SETTINGS, "text", "A sentence with [MASK] in it", "Write a sentence with [MASK] in it")
            start.draw(SETTINGS, start.guesses(SETTINGS))
    start.ways_onward()
    how_to_read(
        "Each bar is a word that BERT could put in place of [MASK], as long as it finds the word likely.",
        "It learnt from text: likely is not the same as true.",
    )
    presets(SETTINGS, PRESETS)
    show_code(
        f"""import explorer

model = explorer.load({start.MODEL!r})
print(explorer.analysis.prediction.fill_mask(model, {SETTINGS["text"]!r}, top={start.ROWS}))"""
    )
