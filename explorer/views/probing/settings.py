"""The settings of this page and its views, with their defaults and limits."""

from explorer.catalogue.manifest import manifests
from explorer.views.settings.setting import Setting

MODELS = tuple(model.name for model in manifests().values() if model.probes)
WATER = "Clara wants to water her sister's plants before Sunday."
BEST = -1  # stands for the layer with the highest measured score, until a layer is chosen

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
