"""The page Word vectors: the words and the text it opens with, and examples that each make one point."""

from functools import cache
from pathlib import Path

from explorer import assets
from explorer.assets import TEXTS
from explorer.views.frame.page import Preset

TEXT = TEXTS / "kingdom.txt"
GROUPS = """\
royalty: king queen prince princess crown throne castle
food: bread cheese butter milk soup honey cake
animals: dog cat horse cow sheep goat hen
weather: rain snow wind storm thunder sun clouds"""


@cache
def our_text(path: Path = TEXT) -> str:
    """A small text of our own, in simple sentences, in which four groups of words keep to themselves."""
    return assets.text(path).strip()


PRESETS = [
    Preset(
        "Hot and cold",
        "Warm stands beside hot, and so do cool and cold: opposites keep the same company.",
        {"word": "hot"},
    ),
    Preset(
        "King to queen",
        "The same arrow, moved: from man to king, and from woman to where its tip falls.",
        {"view": "analogies"},
    ),
    Preset(
        "The honest list",
        "Let the three words take part, and one of them usually wins: the step away is small.",
        {"view": "analogies", "asked": True},
    ),
    Preset(
        "My own axes",
        "Between man and woman, bad and good: what the words’ company says of jobs and feelings.",
        {
            "view": "map",
            "projection": "axes",
            "words": "jobs: doctor nurse soldier teacher lawyer farmer secretary engineer\n"
            "feelings: love hate joy fear anger hope pain peace",
        },
    ),
    Preset(
        "All strangers",
        "Between two one-hot columns the cosine is 0, whatever the words mean.",
        {"view": "one-hot"},
    ),
    Preset(
        "Out of noise",
        "Press Train: random dots sort themselves into a court, a kitchen, a farm and a sky.",
        {"view": "train"},
    ),
]
