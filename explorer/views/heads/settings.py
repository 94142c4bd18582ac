"""The settings of this page and its views, with their defaults and limits."""

from typing import Any

from explorer.views.frame.setting import Setting
from explorer.views.heads.presets import SENTENCE as OPENING_SENTENCE

# presets.py
VIEW_NAME = Setting("view", "kinds")
MODEL = Setting("model", "bert")
TEXT = Setting("text", OPENING_SENTENCE)
OF = Setting("of", "written")
WHAT = Setting("what", "obj")
WAY = Setting("way", "to_head")
SENTENCE = Setting("sentence", 0)
HEAD = Setting[Any]("head", None)  # [layer, head]; the best one without
ARCS = Setting[list[Any]]("arcs", [[3, 6]])  # [from, to] between words, special tokens not counted
BY = Setting("by", "attention")
RESCALE = Setting("rescale", False)
FOUND = Setting[Any]("found", None)
OFF = Setting[list[Any]]("off", [[5, 8]])
HOW = Setting("how", "zero")
BLANK = Setting("blank", 3)  # which word is to be guessed; -1: the last one, or what comes after the text
