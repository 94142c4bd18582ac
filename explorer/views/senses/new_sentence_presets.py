"""New sentences with bank: a third sense among two, the same once the third is there, one between two."""

from explorer.views.frame.page import Preset
from explorer.views.senses.presets import ALL, sentences

BLOOD = "Platelets keep for barely a week, so the bank never has many."
BETWEEN = "She walked along the bank to the manager's office."
DEFAULTS = {"new": BETWEEN}


def _bank(*senses: str) -> str:
    """All our sentences of these senses but the minimal pairs, and not the new one."""
    lines = [line for line in sentences("bank", ALL).splitlines() if "~" not in line]
    return "\n".join(line for line in lines if line.rpartition("#")[2] in senses and BLOOD not in line)


PRESETS = [
    Preset(
        "Blood bank, a third sense?",
        "Two senses to choose from. One is nearest, but look how far away the dot is.",
        {"view": "new", "kind": ALL, "text": _bank("money", "river"), "new": BLOOD},
    ),
    Preset(
        "With blood on the map",
        "Once other blood banks are on the map, it lies among them.",
        {"view": "new", "kind": ALL, "text": _bank("money", "river", "blood"), "new": BLOOD},
    ),
    Preset(
        "Between the two",
        "A walk along the bank to the manager’s office: even this model can hardly decide.",
        {"view": "new", "kind": ALL, "text": _bank("money", "river"), "new": BETWEEN},
    ),
]
