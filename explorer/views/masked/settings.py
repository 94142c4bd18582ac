"""The settings of the masked-words page and its views, with their defaults and limits."""

from typing import Any

from explorer.views.frame.default_models import LARGE, WRITER
from explorer.views.settings.setting import MOST_WORD, Setting

# The page, and several views.
VIEW_NAME = Setting("view", "predict")
MODEL = Setting("model", "bert")
TEXT = Setting("text", "The patient was taken to the [MASK] by helicopter.")
WORDS = Setting[Any]("words", [])  # the word that a click hid in each blank; "" where it is not known
BLANK = Setting("blank", 0)  # the number of the chosen blank, from 0
SEED = Setting(
    "seed", 2, least=0
)  # the first that chooses 15 % of the opening sentence, to the nearest token

# Predict.
K = Setting("k", 10)
BESIDE = Setting("beside", WRITER == LARGE)  # with a model that reads from the left only
PROBE = Setting("probe", "", most=120)
PINNED = Setting("pinned", "")  # the text to compare with, and the number of its blank
PINNED_BLANK = Setting("pinned_blank", 0)

# He or she?
TEMPLATE = Setting("template", "The [SLOT] said that [MASK] was late for work.")
FILLERS = Setting(
    "fillers", "doctor, nurse, teacher, soldier, engineer, secretary, farmer, dancer, lawyer, maid"
)
ONE = Setting("one", "he")
OTHER = Setting("other", "she")

# How it was trained.
SENTENCE = Setting("sentence", "The old dog sleeps in front of the fire every evening.")
SHARE = Setting("share", 15)  # per cent of the tokens

# Next sentence.
FIRST = Setting("first", "We took the train to the coast.")
SECONDS = Setting(
    "seconds",
    "The beach was full of people when we arrived.\n"
    "The company sold its shares in the bank.\n"
    "Her second novel was published in London.",
)

# Write.
FRAME = Setting("frame", "Every morning the old man [MASK].")
BLANKS = Setting("blanks", 7)
TEMPERATURE = Setting("temperature", 1.0)
TOP_K = Setting("top_k", 10)  # 0: all words
STEPS = Setting("steps", 100)
START = Setting("start", "masks")

# Real or replaced?
READ = Setting("read", "She opened the gate and let the horses into the field.")
WHO = Setting("who", "hand")
SHOWN = Setting("shown", False)
GUESSED = Setting[Any]("guessed", [])  # positions of the tokens that the class suspects
# [number of a word, the word in its place]; None: in the opening sentence one of ours, in others none
OWN = Setting[Any]("own", None)
PLACE = Setting("place", -1)  # the number of the chosen word; -1: none
TYPED = Setting("typed", "", most=MOST_WORD)
