"""The settings of the attention page and its views, with their defaults and limits."""

from typing import Any

from explorer.views.settings.setting import Setting

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = "The animal didn't cross the street because it was too wide."
IT = ["from", 10, "it"]

# All views
MODEL = Setting("model", "bert")
VIEW_NAME = Setting("view", "head")
TEXT = Setting("text", TIRED)
PAIR = Setting("pair", "")
LAYER = Setting("layer", 3)
HEAD = Setting("head", 1)
HIDE = Setting("hide", False)  # special tokens
TOKEN = Setting[Any]("token", IT, optional=True)  # selected: [side, position, word], see `SelectedToken`

# Heads
ON = Setting[Any]("on", None)  # the heads that are drawn, as a list; None for the chosen one alone
ACROSS = Setting[Any]("across", None)  # the token selected on the other side: [position, word]
LEAST = Setting("least", 0.0)  # smaller weights are not drawn
BY_VALUES = Setting("by_values", False)  # whether |a f(x)| is shown in place of the weights a
MERGE = Setting("merge", False)  # whether WordPieces are merged into words
SIDES = Setting("sides", "")  # "01": only from the first sentence to the second

# Inside
INSIDE_TO = Setting[Any]("inside_to", None)  # the token that is read: [position, word]

# Across layers
ACROSS_LAYER = Setting("across_layer", 0)  # how many layers; 0 for all
ACROSS_FLOW = Setting("across_flow", False)
ACROSS_SPECIAL = Setting("across_special", False)  # whether special tokens take part

# Compare
COMPARE = Setting("compare", "texts")
COMPARE_TEXT = Setting("compare_text", WIDE)
COMPARE_MODEL = Setting("compare_model", "gpt")
COMPARE_LAYER = Setting("compare_layer", 3)
COMPARE_HEAD = Setting("compare_head", -1)  # of both models; -1 averages the heads of a layer
COMPARE_CELL = Setting[Any]("compare_cell", None)  # selected: [row, column]

# BertViz
BERTVIZ = Setting("bertviz", "heads")
LAYERS = Setting[Any]("layers", None)  # these three are [first, last], or None for all of them
HEAD_RANGE = Setting[Any]("heads", None)
TOKENS = Setting[Any]("tokens", None)
