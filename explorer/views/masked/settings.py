"""The settings of the masked-words page and its views, with their defaults and limits."""

from typing import Any

from explorer.views.frame.setting import MOST_WORD, Setting

# The page, and several views.
VIEW_NAME = Setting("view", "predict")
MODEL = Setting("model", "bert")
TEXT = Setting("text", "The patient was taken to the [MASK] by helicopter.")
WORDS = Setting[Any]("words", [])  # the word that a click hid in each blank; "" where it is not known
BLANK = Setting("blank", 0)  # the number of the chosen blank, from 0
SEED = Setting("seed", 3, least=0)  # with 3, of the opening sentence one word is masked, replaced, kept

# Predict.
K = Setting("k", 10)
PROBE = Setting("probe", "")
PINNED = Setting("pinned", "")  # the text to compare with, and the number of its blank
PINNED_BLANK = Setting("pinned_blank", 0)

# Compare sets.
TEMPLATE = Setting("template", "The [SLOT] said that [MASK] was late for work.")
FILLERS = Setting(
    "fillers", "doctor, nurse, teacher, soldier, engineer, secretary, farmer, dancer, lawyer, maid"
)
ONE = Setting("one", "he")
OTHER = Setting("other", "she")

# Layer by layer.
WATCHED = Setting("watched", "")
LAYER = Setting("layer", -1)  # -1: the last one
READER = Setting("reader", "gpt")  # the model that reads from the left

# How it was trained: which task, then the settings of masked words and of the next sentence.
TASK = Setting("task", "words")
SENTENCE = Setting("sentence", "The ferry leaves the harbour at nine, and gulls follow it.")
SHARE = Setting("share", 15)  # per cent of the tokens
FIRST = Setting("first", "The children packed their bags for the trip to the mountains.")
SECONDS = Setting(
    "seconds",
    "They hoped to reach the summit before noon.\n"
    "The bank sold its shares in the company.\n"
    "My left shoe is afraid of the soup.\n"
    "The mountains packed the children into a bag.",
)

# Score.
BETTER = Setting("better", "The keys to the cabinet are on the table.")
WORSE = Setting("worse", "The keys to the cabinet is on the table.")
WHOLE = Setting("whole", False)

# Write.
FRAME = Setting("frame", "Every morning the old man [MASK].")
BLANKS = Setting("blanks", 7)
TEMPERATURE = Setting("temperature", 1.0)
TOP_K = Setting("top_k", 10)  # 0: all words
STEPS = Setting("steps", 100)
START = Setting("start", "masks")

# Real or replaced?
READ = Setting("read", "She opened the gate and let the horses into the field.")
WHO = Setting("who", "generator")
SHOWN = Setting("shown", False)
GUESSED = Setting[Any]("guessed", [])  # positions of the tokens that the class suspects
HIDDEN = Setting[Any]("hidden", [])  # positions of the tokens that the visitor hides from the generator
OWN = Setting[Any]("own", [])  # [number of a word, the visitor's word in its place]
PLACE = Setting("place", -1)  # the number of the chosen word; -1: none
TYPED = Setting("typed", "", most=MOST_WORD)
