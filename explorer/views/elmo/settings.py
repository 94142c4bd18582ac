"""The settings of this page and its views, with their defaults and limits."""

from explorer.views.frame.setting import MOST_WORD, Setting

# characters.py
WORD = Setting("word", "unbankable", most=MOST_WORD)

# page.py
VIEW_NAME = Setting("view", "sides")
MODEL = Setting("model", "elmo")

# presets.py
TEXT = Setting("text", "He shook his head and went away.")
SEPARATED = Setting("separated", False)  # the words are what stands between spaces
PLACE = Setting("place", 4)  # the chosen word, counted from 1; 0 for the one in the middle
K = Setting("k", 10)
