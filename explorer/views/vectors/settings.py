"""The settings of this page and its views, with their defaults and limits."""

from typing import Any

from explorer import assets
from explorer.assets import read_once
from explorer.views.settings.setting import LONGEST_OF_ALL, MOST_WORD, Setting

GROUPS = """\
royalty: king queen prince castle crown
food: bread cheese butter milk soup
animals: dog cat horse cow sheep
weather: rain snow wind storm thunder"""
JOBS_AND_FEELINGS = """\
jobs: doctor nurse soldier teacher lawyer farmer secretary engineer
feelings: love hate joy fear anger hope pain peace"""


@read_once
def our_text() -> str:
    """Our small text to train on; it has four groups of words that never share a context."""
    return assets.text(assets.TEXTS / "kingdom.txt").strip()


# The page; the typed groups and the selected word belong to both maps
VIEW_NAME = Setting("view", "one-hot")
MODEL = Setting("model", "word2vec")
WORDS = Setting("words", GROUPS)
LOCKED = Setting("locked", "")

# Neighbours
WORD = Setting("word", "king", most=MOST_WORD)
TRAIL = Setting[list[Any]]("trail", [])

# Analogies; ASKED lets a, b and c themselves into the ranking
A = Setting("a", "king", most=MOST_WORD)
B = Setting("b", "man", most=MOST_WORD)
C = Setting("c", "woman", most=MOST_WORD)
ASKED = Setting("asked", False)
ANSWER = Setting("answer", "")

# Map
OF = Setting("of", "chosen")
PROJECTION = Setting[Any]("projection", "pca")
LEFT = Setting("left", "man", most=MOST_WORD)
RIGHT = Setting("right", "woman", most=MOST_WORD)
DOWN = Setting("down", "bad", most=MOST_WORD)
UP = Setting("up", "good", most=MOST_WORD)

# One-hot
FEW = Setting("few", "king queen bread rain")

# Train it live; GloVe counts the same text
TEXT = Setting("text", our_text(), most=LONGEST_OF_ALL)
METHOD = Setting("method", "skip-gram")
WINDOW = Setting("window", 5)
DIMENSIONS = Setting("dimensions", 30)
NEGATIVES = Setting("negatives", 5)
SEED = Setting("seed", 0, least=0)

# GloVe’s counts, on the Map, and fastText
PAIR = Setting("pair", "snow rain", most=MOST_WORD)
SPELT = Setting("spelt", "unbankable", most=MOST_WORD)
