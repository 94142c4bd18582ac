"""The settings of this page and its views, with their defaults and limits."""

from explorer.views.senses.example_sentences import FEW, FEW_OCCURRENCES, PUZZLE, sentences
from explorer.views.settings.setting import LONGEST_OF_ALL, MOST_WORD, Setting

# Four models
STATIC = Setting("static", False)
DEPTH = Setting("depth", "best")

# Senses by layer
MEASURE = Setting("measure", "macro_f1")
ADJUSTED = Setting("adjusted", True)
MORE = Setting("more", False)

# Matrix
ORDER = Setting("order", "sense")
BASELINE = Setting("baseline", False)

# The visitor's own text
OWN = Setting("own", False)
DRAWN = Setting("drawn", FEW_OCCURRENCES)
SEED = Setting("seed", 0, least=0)
FORMS = Setting("forms", False)

# The page
VIEW_NAME = Setting("view", "map")
MODEL = Setting("model", "bert")
WORD = Setting("word", "bank", most=MOST_WORD)
TEXT = Setting("text", f"{sentences('bank')}\n{PUZZLE}", most=LONGEST_OF_ALL)
KIND = Setting("kind", FEW)
LAYER = Setting("layer", 6)
PROJECTION = Setting("projection", "pca")
AXES = Setting("axes", 2)
SENSES = Setting("senses", True)
CONTOURS = Setting("contours", False)
LOCKED = Setting("locked", "")

# Map
WORDNET = Setting("wordnet", False)
NEW = Setting("new", "")  # a sentence that is not among those of the map

# Those that all views have, in the order in which a saved picture lists them
OF_PAGE = (
    VIEW_NAME,
    MODEL,
    WORD,
    TEXT,
    KIND,
    LAYER,
    PROJECTION,
    AXES,
    SENSES,
    CONTOURS,
    LOCKED,
    OWN,
    DRAWN,
    SEED,
    FORMS,
)
