"""The masked-words page: what it opens with, and three presets that each make one point."""

from explorer.views.frame import Preset

DEFAULTS = {
    "text": "The doctor worked at the [MASK] for ten years.",
    "model": "bert",
    "k": 10,
    "blank": 0,  # the blank that is acted on, counted from 0
    "words": [],  # what stood in each blank before a click hid it; "" where unknown
    "probe": "",
}

PRESETS = [
    Preset(
        "At work",
        "No place is named: doctor and worked are clue enough for hospital, ahead of all other words.",
        {"words": ["hospital"]},
    ),
    Preset(
        "Grammar",
        "The keys are plural: are beats is, although the nearest noun, cabinet, is singular.",
        {
            "text": "The keys to the cabinet [MASK] on the table.",
            "words": ["are"],
            "probe": "are, is",
        },
    ),
    Preset(
        "Two contexts",
        "The same blank twice: farm is likelier after the farmer, sea after the sailor.",
        {
            "text": "The farmer came home from the [MASK], the sailor from the [MASK].",
            "words": ["farm", "sea"],
        },
    ),
]
