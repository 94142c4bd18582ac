"""The models that pages open with, where that depends on what is installed."""

from explorer.manifest import default_model

WRITER = default_model("writing")
