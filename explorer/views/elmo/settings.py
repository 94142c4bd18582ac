"""The settings of this page and its views, with their defaults and limits."""

from typing import Any

from explorer.views.settings.setting import MOST_WORD, Setting

# characters.py
WORD = Setting("word", "unbankable", most=MOST_WORD)

# bilm.py: the chosen state, as direction, layer and place
STATE = Setting[Any]("state", None, optional=True)

# page.py
VIEW_NAME = Setting("view", "bilm")
MODEL = Setting("model", "elmo")

# bilm.py
TEXT = Setting("text", "They were on the other side of the river.")
PLACE = Setting("place", 6)  # without a state, the word before which one is chosen, from 1; 0 for the middle
