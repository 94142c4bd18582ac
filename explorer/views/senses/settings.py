"""The settings of this page and its views, with their defaults and limits."""

from explorer.views.senses.example_sentences import FEW, FEW_OCCURRENCES, PUZZLE, sentences
from explorer.views.settings.setting import LONGEST_OF_ALL, MOST_WORD, Setting

# Four models
STATIC = Setting("static", False)
DEPTH = Setting("depth", "best")


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

# Map; in place of the dots, all pairs as a matrix, or the layers of every model
SHOWN = Setting("shown", "dots")
ORDER = Setting("order", "sense")  # of the matrix
BASELINE = Setting("baseline", False)
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
