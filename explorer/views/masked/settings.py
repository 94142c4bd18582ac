"""The settings of this page and its views, with their defaults and limits."""

from typing import Any

from explorer.views.frame.setting import MOST_WORD, Setting

# presets.py
VIEW_NAME = Setting("view", "predict")
TEXT = Setting("text", "The patient was taken to the [MASK] by helicopter.")
MODEL = Setting("model", "bert")
K = Setting("k", 10)
BLANK = Setting("blank", 0)  # the blank that is acted on, counted from 0
WORDS = Setting[Any]("words", [])  # what stood in each blank before a click hid it; "" where unknown
PROBE = Setting("probe", "")
PINNED = Setting(
    "pinned", ""
)  # a text whose blank stands beside the present one's, and the number of that blank
PINNED_BLANK = Setting("pinned_blank", 0)
TEMPLATE = Setting("template", "The [SLOT] said that [MASK] was late for work.")
FILLERS = Setting(
    "fillers", "doctor, nurse, teacher, soldier, engineer, secretary, farmer, dancer, lawyer, maid"
)
ONE = Setting("one", "he")
OTHER = Setting("other", "she")
WATCHED = Setting("watched", "")
LAYER = Setting("layer", -1)  # -1: the last one
TASK = Setting("task", "words")
SENTENCE = Setting("sentence", "The ferry leaves the harbour at nine, and gulls follow it.")
SHARE = Setting("share", 15)
SEED = Setting(
    "seed", 3, least=0
)  # of masks and of writing: with 3 one word is masked, one replaced, one kept
FIRST = Setting("first", "The children packed their bags for the trip to the mountains.")
SECONDS = Setting(
    "seconds",
    "They hoped to reach the summit before noon.\n"
    "The bank sold its shares in the company.\n"
    "My left shoe is afraid of the soup.\n"
    "The mountains packed the children into a bag.",
)
BETTER = Setting("better", "The keys to the cabinet are on the table.")
WORSE = Setting("worse", "The keys to the cabinet is on the table.")
WHOLE = Setting("whole", False)
FRAME = Setting("frame", "Every morning the old man [MASK].")
BLANKS = Setting("blanks", 7)
TEMPERATURE = Setting("temperature", 1.0)
TOP_K = Setting("top_k", 10)
STEPS = Setting("steps", 100)
START = Setting("start", "masks")

# replaced_presets.py
READ = Setting("read", "She opened the gate and let the horses into the field.")
WHO = Setting("who", "generator")
SHOWN = Setting("shown", False)
GUESSED = Setting[Any]("guessed", [])  # tokens that the class suspects, by their position
HIDDEN = Setting[Any]("hidden", [])  # tokens that are hidden from the generator, where a visitor says which
OWN = Setting[Any]("own", [])  # [number of a word, what the visitor put in its place]
PLACE = Setting("place", -1)  # the word that is chosen; -1: none
TYPED = Setting("typed", "", most=MOST_WORD)
