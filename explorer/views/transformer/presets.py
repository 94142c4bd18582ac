"""The Transformer page: what it opens with, and presets whose points are tested."""

from typing import Any

from explorer.views.frame.page import Preset
from explorer.views.frame.values import Whole

DEFAULTS: dict[str, Any] = {
    "view": "steps",
    "model": "bert",
    "text": "The boat drifted to the bank.",
    "pair": "",
    "layer": Whole(2),
    "head": Whole(9),
    "padding": False,
    "step": "whole",  # a step's name, or the whole layer
    "way": "one",  # one word's way, or all words at once
    "word": Whole(2),
    "cells": [],  # numbers that were followed back, each [tensor, row, column, layer, head]; the last is shown
}

STEPS = [
    Preset(
        "GPT looks back only",
        "The mask puts every later word out before the softmax: the upper triangle of the weights is 0.",
        {"model": "gpt"},
    ),
]
