"""Presets of New sentence: a sense that is not on the map, one between two, and a figure of speech."""

from explorer.views.frame.presets import Preset
from explorer.views.senses.presets import ALL, sentences

BLOOD = "Platelets keep for barely a week, so the bank never has many."
BETWEEN = "She walked along the bank to the manager's office."
SKIT = "Let's stick to improvisation in this skit."


def _all(word: str, *senses: str) -> str:
    """All our sentences of these senses, without the minimal pairs and the new sentence."""
    lines = [line for line in sentences(word, ALL).splitlines() if "~" not in line]
    return "\n".join(line for line in lines if line.rpartition("#")[2] in senses and BLOOD not in line)


PRESETS = [
    Preset(
        "A third sense?",
        "With only money and river on the map, one of them must be nearest. But this dot lies farther out "
        "than all of that sense, which gives it away. Few other blood banks do.",
        {"view": "new", "kind": ALL, "text": _all("bank", "money", "river"), "new": BLOOD},
    ),
    Preset(
        "With blood on the map",
        "Once other blood banks are on the map, the dot lies among them.",
        {"view": "new", "kind": ALL, "text": _all("bank", "money", "river", "blood"), "new": BLOOD},
    ),
    Preset(
        "Between the two",
        "A walk along the bank to the manager’s office: the nearest sense is ahead by less than usual.",
        {"view": "new", "kind": ALL, "text": _all("bank", "money", "river"), "new": BETWEEN},
    ),
    Preset(
        "Let’s stick to improvisation",
        "Nobody uses glue here, yet this “stick” is nearer to gluing than to a piece of wood.",
        {"view": "new", "kind": ALL, "word": "stick", "text": _all("stick", "wood", "glue"), "new": SKIT},
    ),
]
CHINESE = [
    Preset(
        "A phone is mended",
        "He has his phone mended in the 蘋果 shop. Which sense does the new dot lie nearest to?",
        {
            "view": "new",
            "word": "蘋果/苹果",
            "text": sentences("蘋果/苹果"),
            "new": "他把手機拿到蘋果店裡修理。",
        },
        "zh",
    ),
]
