"""The settings of this page and its views, with their defaults and limits."""

from typing import Any

from explorer.views.attention.presets import IT, TIRED, WIDE
from explorer.views.frame.setting import Setting

# across_layers.py
ACROSS_LAYER = Setting("across_layer", 0)
ACROSS_FLOW = Setting("across_flow", False)

# bertviz.py
BERTVIZ = Setting("bertviz", "heads")
LAYERS = Setting[Any]("layers", None)  # these three are [first, last], or None for all of them
HEAD_RANGE = Setting[Any]("heads", None)
TOKENS = Setting[Any]("tokens", None)

# compare.py
COMPARE = Setting("compare", "texts")
COMPARE_TEXT = Setting("compare_text", WIDE)
COMPARE_MODEL = Setting("compare_model", "gpt")
COMPARE_LAYER = Setting("compare_layer", 3)
COMPARE_HEAD = Setting("compare_head", -1)  # of both models; -1 averages the heads of a layer
COMPARE_CELL = Setting[Any]("compare_cell", None)  # selected: [row, column]

# inside_head.py
INSIDE_TO = Setting[Any]("inside_to", None)

# one_layer.py
ON = Setting[Any]("on", None)  # the heads that are drawn, as a list; None for the chosen one alone
ACROSS = Setting[Any]("across", None)  # with a token selected, the one across from it: [position, word]
LEAST = Setting("least", 0.0)  # weights below it are not drawn
MERGE = Setting("merge", False)  # WordPieces merged into words
SIDES = Setting("sides", "")  # "01": only from the first sentence to the second

# presets.py
MODEL = Setting("model", "bert")
VIEW_NAME = Setting("view", "head")
TEXT = Setting("text", TIRED)
PAIR = Setting("pair", "")
LAYER = Setting("layer", 3)
HEAD = Setting("head", 1)
HIDE = Setting("hide", False)
TOKEN = Setting[Any](
    "token", IT, optional=True
)  # locked: [side, position, word], as attention.sentence.SelectedToken says

# while_generating.py
LOOK_STEP = Setting("look_step", 0)
LOOK_LAYER = Setting("look_layer", -1)  # -1: all layers, or all heads
LOOK_HEAD = Setting("look_head", -1)
LOOK_FIRST = Setting("look_first", True)  # whether the first token, where heads rest, takes part
LOOK_HEAT = Setting("look_heat", 0.0)
