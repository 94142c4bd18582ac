"""“Looking back”: the text and the head that it opens with, and its presets; tests check what they say."""

from typing import Any

from explorer.views.frame.default_models import WRITER
from explorer.views.frame.presets import Preset

AUNT = "He had learnt to play the violin from Aunt Philippa in the kitchen. Every Sunday Aunt"
# Heads that copy, [layer, head], chosen by their measurements (assets/heads).
COPIES = {"smollm2": (18, 6), "gpt": (4, 2)}.get(WRITER, (-1, -1))
BOAT: dict[str, Any] = {
    "view": "look-back",
    "look_text": "Our boat is behind the bridge, and nobody sees the bridge from the boat.",
}

REAL = [
    Preset(
        "One token back",
        "Whatever the text, this head reads the token before the last one.",
        {**BOAT, "model": "smollm2", "look_layer": 16, "look_head": 0, "look_step": 12},
    ),
    Preset(
        "A place to rest",
        "On average over all heads no token gets more attention than the first, whatever it is. Take it out, "
        "and see what else is read.",
        {**BOAT, "model": "smollm2", "look_layer": -1, "look_head": -1, "look_step": 12},
    ),
]
SMALL = [
    Preset(
        "The last few tokens",
        "On average the heads look most at the last tokens written. Step through the text and watch the dark "
        "cells move.",
        {**BOAT, "model": "gpt", "look_layer": -1, "look_head": -1},
    ),
    Preset(
        "Just behind",
        "Whatever the text, this head reads the last three tokens and little else.",
        {**BOAT, "model": "gpt", "look_layer": 3, "look_head": 0, "look_step": 12},
    ),
    Preset(
        "Commas and full stops",
        "This head looks at commas and full stops, near or far.",
        {**BOAT, "model": "gpt", "look_layer": 1, "look_head": 2, "look_step": 12},
    ),
]
COPY = Preset(
    "What came next before",
    "An induction head: it finds where the last word occurred before, and reads what followed it there.",
    {"view": "look-back"},
)

PRESETS = [COPY, *(REAL if WRITER == "smollm2" else SMALL)]
