"""The settings of this page and its views, with their defaults and limits."""

from typing import Any

from explorer.views.settings.setting import MOST_WORD, Setting

# characters.py
WORD = Setting("word", "unbankable", most=MOST_WORD)

# bilm.py: the chosen state, as direction, layer and place
STATE = Setting[Any]("state", None, optional=True)

# page.py
VIEW_NAME = Setting("view", "bilm", explicit=True)  # links to From both sides once had no view
MODEL = Setting("model", "elmo")

# presets.py
TEXT = Setting("text", "They were on the other side of the river.")
SEPARATED = Setting("separated", False)  # the words are what stands between spaces
PLACE = Setting("place", 6)  # the chosen word, counted from 1; 0 for the one in the middle
K = Setting("k", 10)
