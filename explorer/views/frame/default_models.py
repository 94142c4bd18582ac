"""The models that pages open with, where that depends on what is installed."""

from explorer.catalogue.manifest import default_model

WRITER = default_model("writing")
LARGE = "smollm2"  # which may not be installed
