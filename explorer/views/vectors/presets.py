"""The words and the text with which the page Word vectors opens, and its presets."""

from functools import cache
from pathlib import Path

from explorer import assets
from explorer.assets import TEXTS
from explorer.views.frame.page import Preset

TEXT = TEXTS / "kingdom.txt"
BASKETS = TEXTS / "baskets.txt"
GROUPS = """\
royalty: king queen prince princess crown throne castle
food: bread cheese butter milk soup honey cake
animals: dog cat horse cow sheep goat hen
weather: rain snow wind storm thunder sun clouds"""

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
    "Press Train: random dots sort themselves into groups: court, kitchen, farm and sky.",
    {"view": "train"},
)
IN_BASKETS = Preset(
    "Baskets",
    "The same training on shopping baskets, a line each: what is bought together ends up together.",
    {"view": "train", "text": our_text(BASKETS), "words": SHELVES, "window": 7},
)
PRESETS = [
    Preset(
        "Hot and cold",
        "Warm is close to hot, and so are cool and cold: opposites occur with the same words.",
        {"word": "hot"},
    ),
    Preset(
        "King to queen",
        "The same arrow twice: from man to king, and from woman to the point where it ends.",
        {"view": "analogies"},
    ),
    Preset(
        "The honest list",
        "Count the three words as answers too, and one of them usually wins: the arrow is short.",
        {"view": "analogies", "asked": True},
    ),
    Preset(
        "My own axes",
        "From man to woman and from bad to good: what the training text says of jobs and feelings.",
        {
            "view": "map",
            "projection": "axes",
            "words": "jobs: doctor nurse soldier teacher lawyer farmer secretary engineer\n"
            "feelings: love hate joy fear anger hope pain peace",
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
GLOVE_AND_FASTTEXT = [
    Preset(
        "Snow or rain",
        "GloVe’s ratio: winter and ice go with snow, thunder with rain, and falls with both.",
        {"view": "kin"},
    ),
    Preset(
        "By its pieces",
        "fastText cuts “unbankable” into pieces that unthinkable and workable have too.",
        {"view": "kin", "kin": "fasttext"},
    ),
    IN_BASKETS,
]
