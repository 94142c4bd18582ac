"""The words and the text with which the page Word vectors opens, and its presets."""

from functools import cache
from pathlib import Path

from explorer import assets
from explorer.assets import TEXTS
from explorer.views.frame.presets import Preset

TEXT = TEXTS / "kingdom.txt"
BASKETS = TEXTS / "baskets.txt"
GROUPS = """\
royalty: king queen prince castle crown
food: bread cheese butter milk soup
animals: dog cat horse cow sheep
weather: rain snow wind storm thunder"""
JOBS_AND_FEELINGS = """\
jobs: doctor nurse soldier teacher lawyer farmer secretary engineer
feelings: love hate joy fear anger hope pain peace"""

SHELVES = """\
breakfast: bread butter jam honey cereal coffee juice
baking: flour sugar yeast vanilla chocolate raisins almonds
pasta: spaghetti tomatoes basil garlic parmesan olives oregano
barbecue: charcoal sausages buns ketchup mustard corn lemonade
cleaning: soap sponge bleach gloves vinegar bucket polish"""


@cache
def our_text(path: Path = TEXT) -> str:
    """One of our small texts; that of kingdom.txt has four groups of words that never share a context."""
    return assets.text(path).strip()


FROM_NOISE = Preset(
    "From noise",
    "Press Train: random dots sort themselves into four groups, the court, the kitchen, the farm and the "
    "sky.",
    {"view": "train"},
)
IN_BASKETS = Preset(
    "Baskets",
    "The same training on shopping baskets, one per line: what is bought together ends up together.",
    {"view": "train", "text": our_text(BASKETS), "words": SHELVES, "window": 7},
)
PRESETS = [
    Preset(
        "Hot and cold",
        "“Warm” is close to “hot”, and so are “cool” and “cold”: opposites occur with the same words.",
        {"view": "neighbours", "word": "hot"},
    ),
    Preset(
        "King to queen",
        "The same arrow twice: from “man” to “king”, and from “woman” to the ring.",
        {"view": "analogies"},
    ),
    Preset(
        "The honest list",
        "If the three question words may be answers, one of them usually wins, because the arrow is short.",
        {"view": "analogies", "asked": True},
    ),
    Preset(
        "My own axes",
        "From “man” to “woman” and from “bad” to “good”: what the training text says about jobs and "
        "feelings.",
        {
            "view": "map",
            "projection": "axes",
            "words": JOBS_AND_FEELINGS,
        },
    ),
    Preset(
        "All unrelated",
        "The cosine of two one-hot columns is 0, whatever the words mean.",
        {"view": "one-hot"},
    ),
    FROM_NOISE,
]
TRAIN = [FROM_NOISE, IN_BASKETS]
RELATED = [
    Preset(
        "Snow or rain",
        "“Winter” goes with snow and “wind” with rain. “Falls” goes with both, and “bread” with neither.",
        {"view": "kin"},
    ),
    Preset(
        "Not only words",
        "Paragraphs, shopping baskets and web pages get vectors in the same way.",
        {"view": "kin", "kin": "anything"},
    ),
    IN_BASKETS,
]
FASTTEXT = [
    Preset(
        "By its pieces",
        "fastText cuts “unbankable” into pieces that “unthinkable” and “workable” have too.",
        {"view": "fasttext"},
    ),
    Preset(
        "Internet slang",
        "“lmao” is in no dictionary. It has n-grams, and so it has a vector.",
        {"view": "fasttext", "spelt": "lmao"},
    ),
]
