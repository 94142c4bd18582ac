"""Translator: what it opens with, and presets whose points are tested."""

from typing import Any

from explorer.views.frame.page import Preset

MEAN = "mean"


def _preset(label: str, point: str, text: str, **values: Any) -> Preset:
    return Preset(label, point, {"view": "translator", "translator_text": text, **values})


PRESETS = [
    _preset(
        "The adjective goes behind",
        "Chat stands before noir, and each reads its own English word more than the other’s.",
        "She has a black cat.",
        translator_part="map",
    ),
    _preset(
        "One word becomes two",
        "Not becomes ne and pas, on both sides of the verb; both read it more than an equal share.",
        "I do not know him.",
    ),
    _preset(
        "Which you?",
        "English does not say whether you is tu or vous: the hypotheses have both.",
        "You are very kind.",
        translator_part="beams",
    ),
    _preset(
        "A word hardly seen",
        "It translates all the same; the line below the picture names the words not to be trusted.",
        "The blacksmith forged a halberd.",
    ),
]
