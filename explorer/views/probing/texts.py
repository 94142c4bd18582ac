"""The sentence with which the page of probes opens, and the models that have probes."""

from explorer.catalogue.manifest import manifests

MODELS = tuple(model.name for model in manifests().values() if model.probes)
WATER = "Clara wants to water her sister's plants before Sunday."
BEST = -1  # stands for the layer with the highest measured score, until a layer is chosen
