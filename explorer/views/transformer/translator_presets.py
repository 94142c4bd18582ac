"""Translator: what it opens with, and presets whose points are tested."""

from typing import Any

from explorer.views.frame.presets import Preset

MEAN = "mean"


def _preset(label: str, point: str, text: str, **values: Any) -> Preset:
    return Preset(label, point, {"view": "translator", "translator_text": text, **values})


PRESETS = [
    _preset(
        "The adjective comes after",
        "“Chat” comes before “noir”, and each attends to its own English word more than to the other’s.",
        "She has a black cat.",
        translator_part="map",
    ),
    _preset(
        "One word becomes two",
        "“Not” becomes “ne” and “pas”, on both sides of the verb. Both attend to it more than an equal "
        "share.",
        "I do not know him.",
    ),
    _preset(
        "Which you?",
        "English does not say whether “you” is “tu” or “vous”. The hypotheses have both.",
        "You are very kind.",
        translator_part="beams",
    ),
    _preset(
        "Words hardly seen",
        "It translates anyway. The lines below the picture name the words that it has hardly seen.",
        "The blacksmith forged a halberd.",
    ),
]
