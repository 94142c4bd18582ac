"""The settings of this page and its views, with their defaults and limits."""

from typing import Any

from explorer.views.continuations.presets import PASSAGE, STORY, TALE
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.setting import LONGEST_OF_ALL, Setting
from explorer.views.widgets.steps import NEWEST

# colour.py
SOURCE = Setting("source", "typed")
CHOSEN_PASSAGE = Setting("passage", PASSAGE)
WAY = Setting("way", "bands")
SECOND = Setting("second", "")

# decoders.py
WIDTH = Setting("width", 4)
KEEP = Setting("keep", 40)
MASS = Setting("mass", 0.9)
ALPHA = Setting("alpha", 0.6)

# guess.py
GAME = Setting("game", "next")
MASKER = Setting("masker", "bert")
CHOSEN_TALE = Setting("tale", TALE)
SPOT = Setting("spot", -1)
TRIED = Setting[list[Any]]("tried", [])
ROUNDS = Setting[list[Any]]("rounds", [])

# page.py
VIEW_NAME = Setting("view", "write")
MODEL = Setting("model", WRITER)
TEXT = Setting("text", STORY)
SEED = Setting("seed", 0, least=0)
LENGTH = Setting("length", 40)

# write.py
TEMPERATURE = Setting("temperature", 0.7)
TOP_K = Setting("top_k", 0)
TOP_P = Setting("top_p", 1.0)
TOKEN = Setting("token", NEWEST)
TREE = Setting("tree", "", most=LONGEST_OF_ALL)
VERSUS = Setting("versus", -1)
