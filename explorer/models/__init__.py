"""One file per architecture. Importing the package registers every family it finds."""

import pkgutil
from importlib import import_module

for _module in pkgutil.iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

from explorer.models.base import Model  # noqa: E402
from explorer.models.family import FAMILIES, Family  # noqa: E402
from explorer.models.language_model import LanguageModel  # noqa: E402

__all__ = ["FAMILIES", "Family", "LanguageModel", "Model"]
