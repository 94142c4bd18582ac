"""The settings of the heads page and its views, with their defaults and limits."""

from typing import Any

from explorer.views.settings.setting import Setting

# All views
VIEW_NAME = Setting("view", "kinds")
MODEL = Setting("model", "bert")
TEXT = Setting("text", "The painter closed her eyes before she began to paint.")

# Kinds of head
OF = Setting("of", "written")  # the sentences that heads are measured on, a key of `scores.SOURCES`
WHAT = Setting("what", "obj")  # a behaviour or a relation
WAY = Setting("way", "to_head")  # the direction of a relation, a key of `scores.DIRECTIONS`
SENTENCE = Setting("sentence", 0)  # which of our sentences is drawn
HEAD = Setting[Any]("head", None)  # [layer, head]; None for the best one
ARCS = Setting[list[Any]]("arcs", [[3, 6]])  # [from, to], indices of words; special tokens are not counted

# Switch off
OFF = Setting[list[Any]]("off", [[5, 8]])  # each [layer, head]
HOW = Setting("how", "zero")  # what a head outputs while off, a key of `switch_off.METHODS`
BLANK = Setting("blank", 3)  # index of the word to guess; -1: the last word, or what follows the text
