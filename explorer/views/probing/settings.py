"""The settings of this page and its views, with their defaults and limits."""

from explorer.views.probing.texts import BEST, WATER
from explorer.views.settings.setting import Setting

# The page
VIEW_NAME = Setting("view", "sentence")
MODEL = Setting("model", "bert")
TEXT = Setting("text", WATER, most=600)
TASK = Setting("task", "tag")

# Layer by layer
PROBE = Setting("probe", "linear")
SHOWN = Setting("shown", "score")

# On your sentence
ARC_HEAD = Setting("arc_head", 0, least=0, most=200)

# Tree
TREE_LAYER = Setting("tree_layer", BEST, least=BEST, most=24)
